import { fileURLToPath } from 'node:url';
import { ChildProgram, type ProgramEnd } from './child-program.js';
import { Recorder } from './recorder.js';

/** An event of a scripted peer; see the head of its program. */
export interface PeerEvent {
  readonly event: string;
  readonly [detail: string]: unknown;
}

/** Where a peer joins, and what its program takes beside. */
export interface PeerOptions {
  readonly domain: number;
  /** `lo` by default. */
  readonly networkInterface?: string;
  readonly peers?: readonly string[];
  readonly [option: string]: unknown;
}

/** A scripted peer in a process of its own, which can be killed, stopped and given orders. */
export class PeerProcess {
  readonly events: Recorder<PeerEvent>;
  readonly program: ChildProgram;
  readonly ended: Promise<ProgramEnd>;

  /** @param through what starts the program: a command and its first arguments */
  constructor(
    name: 'controller' | 'vehicles',
    cycloneUri: string,
    options: PeerOptions,
    through: readonly string[] = [],
  ) {
    this.events = new Recorder(`events of ${name}`);
    const file = fileURLToPath(new URL(`../peers/${name}.mjs`, import.meta.url));
    const [command, ...args] = [...through, process.execPath, file, JSON.stringify(options)];
    this.program = new ChildProgram(name, command, args, cycloneUri);
    this.program.stdout.forEach((line) => this.events.add(JSON.parse(line) as PeerEvent));
    this.ended = this.program.ended.then((end) => {
      const said = this.program.stderr.items.join('\n');
      this.events.end(`but ${name} ended ${said}`);
      return end;
    });
  }

  /** All events of this name so far. */
  named(name: string): PeerEvent[] {
    return this.events.items.filter(({ event }) => event === name);
  }

  /** The next event of this name after those that came already. */
  next(name: string): Promise<PeerEvent> {
    const before = this.events.items.length;
    let seen = 0;
    return this.events.until(({ event }) => ++seen > before && event === name);
  }

  order(what: string, details: Readonly<Record<string, unknown>> = {}): void {
    this.program.send(JSON.stringify({ do: what, ...details }));
  }

  signal(signal: NodeJS.Signals): void {
    this.program.signal(signal);
  }
}
