type Labels = Readonly<Record<string, string>>;
interface Durations {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export const usPerS = 1e6;

/** Text in the exposition format of Prometheus, version 0.0.4. */
export class Exposition {
  readonly #lines: string[] = [];

  /** @param name ends with `_total`. */
  counter(name: string, help: string, value: number): void {
    this.#family(name, 'counter', help);
    this.#sample(name, {}, value);
  }

  /** One counter for each value of a label. */
  counters(
    name: string,
    help: string,
    label: string,
    values: Readonly<Record<string, number>>,
  ): void {
    this.#family(name, 'counter', help);
    for (const [key, value] of Object.entries(values)) this.#sample(name, { [label]: key }, value);
  }

  gauge(name: string, help: string, value: number): void {
    this.#family(name, 'gauge', help);
    this.#sample(name, {}, value);
  }

  /** One gauge for each value of a label. */
  gauges(
    name: string,
    help: string,
    label: string,
    values: Readonly<Record<string, number>>,
  ): void {
    this.#family(name, 'gauge', help);
    for (const [key, value] of Object.entries(values)) this.#sample(name, { [label]: key }, value);
  }

  /**
   * The median, the 99th percentile and the maximum of a whole run.
   * @param name as `hlc_reply_time`; becomes `hlc_reply_time_p50_seconds` and so on.
   * @param all in microseconds.
   */
  durations(name: string, help: string, all: readonly (readonly [Labels, Durations])[]): void {
    for (const figure of ['p50', 'p99', 'max'] as const) {
      const full = `${name}_${figure}_seconds`;
      this.#family(full, 'gauge', `${help} Of the whole run: ${figure}.`);
      for (const [labels, values] of all) this.#sample(full, labels, values[figure] / usPerS);
    }
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  #family(name: string, type: 'counter' | 'gauge', help: string): void {
    this.#lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
  }

  #sample(name: string, labels: Labels, value: number): void {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
    const shown = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
    this.#lines.push(`${name}${shown} ${value}`);
  }
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
