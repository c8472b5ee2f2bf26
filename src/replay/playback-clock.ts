import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

/** The clock is looked at this often at least, ms. */
const stepMs = 20;

const request = z.union([
  z.object({ command: z.enum(['pause', 'resume']) }),
  z.object({ command: z.literal('seek'), t: z.number() }),
  z.object({ command: z.literal('speed'), speed: z.number().min(0.1).max(100) }),
]);

/** The time of a recording while it is shown. Times are ms since 1970. */
export class PlaybackClock {
  readonly #from: number;
  readonly #to: number;
  #speed = 1;
  #isPaused = false;
  /** Recorded time at an instant of the monotonic clock, ms. */
  #position: number;
  #at = performance.now();
  #seeks = 0;

  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
    this.#position = from;
  }

  /** Rises with every jump: what was shown is not the past of the present. */
  get seeks(): number {
    return this.#seeks;
  }

  get state() {
    const [from, to, speed, isPaused] = [this.#from, this.#to, this.#speed, this.#isPaused];
    return { from, to, speed, isPaused, position: this.position };
  }

  /** The recorded time now. */
  get position(): number {
    const passed = this.#isPaused ? 0 : (performance.now() - this.#at) * this.#speed;
    return this.#position + passed;
  }

  /** @returns false when the text is no request for this clock. */
  control(text: string): boolean {
    const wanted = request.safeParse(parsed(text)).data;
    if (wanted === undefined) return false;
    this.#position = this.position;
    this.#at = performance.now();
    if (wanted.command === 'seek') {
      this.#position = Math.min(Math.max(wanted.t, this.#from), this.#to);
      this.#seeks++;
    } else if (wanted.command === 'speed') {
      this.#speed = wanted.speed;
    } else {
      this.#isPaused = wanted.command === 'pause';
    }
    return true;
  }

  /**
   * Settles at a recorded time, with the first jump after this number of them, or when `stopped` aborts. The jump may
   * have come already.
   */
  async until(t: number, seeks: number, stopped: AbortSignal): Promise<void> {
    while (this.position < t && this.#seeks === seeks && !stopped.aborted) {
      const left = this.#isPaused ? stepMs : (t - this.position) / this.#speed;
      await wait(Math.min(stepMs, left));
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
