type Labels = Readonly<Record<string, string>>;
interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

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
   * The quantiles of a whole run, as gauges.
   * @param perUnit divides the values.
   */
  quantiles(
    name: string,
    help: string,
    all: readonly (readonly [Labels, Quantiles])[],
    perUnit: number,
  ): void {
    this.#family(name, 'gauge', `${help} Quantiles of the whole run.`);
    for (const [labels, { p50, p99, max }] of all) {
      for (const [quantile, value] of Object.entries({ '0.5': p50, '0.99': p99, '1': max })) {
        this.#sample(name, { ...labels, quantile }, value / perUnit);
      }
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
