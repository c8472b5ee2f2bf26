/** Cuts a stream of bytes into lines, and stops at a line that is too long. */
export class LineSplitter {
  readonly #longest: number;
  #rest: Buffer = Buffer.alloc(0);

  /** @param longest bytes of a line without its line feed. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /**
   * Takes in the next bytes.
   * @returns the lines that are complete now, without their line feeds; bytes that are no UTF-8
   *   become U+FFFD. `tooLong`: the stream is unusable, since its lines can no longer be
   *   separated.
   */
  push(bytes: Buffer): { readonly lines: readonly string[]; readonly tooLong: boolean } {
    const lines: string[] = [];
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      if (end > this.#longest) return { lines, tooLong: true };
      lines.push(rest.toString('utf8', 0, end));
      rest = rest.subarray(end + 1);
    }
    this.#rest = rest;
    return { lines, tooLong: rest.length > this.#longest };
  }
}

const lineFeed = 0x0a;
