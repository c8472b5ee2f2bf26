import type { Pose2D } from '../../messages/index.js';
import { Refusal } from '../refusal.js';
import { decodeControl, type Actuation } from './protocol/control.js';
import { FrameDecoder } from '../frame-decoder.js';
import { defaultSettings, parseSettings, type EpisodeSettings } from './protocol/settings.js';
import {
  decodeEpisodeStart,
  decodeRequestNewEpisode,
  encodeEpisodeReady,
  encodeScene,
} from './protocol/world-messages.js';

/** How long a client may take for what it must do next, ms: the time-out of a CARLA server. */
export const clientTimeoutMs = 10_000;
const longestFrame = 1024 * 1024;
const mapName = 'Lab';

/** The two ports of the agent of a client. */
export type AgentPort = 'measurements' | 'control';

/**
 * What the client does next: ask for an episode, choose a start spot, connect the ports of its
 * agent, drive, or, with its ports closed, ask for the next episode.
 */
type Phase = 'greeting' | 'scene' | 'choosing' | 'connecting' | 'driving' | 'between';

/** What a session makes the gateway do. */
export interface SessionOutlet {
  /** Writes to the world port. */
  writeWorld(frame: Uint8Array): void;
  /** Drops the connections to the ports of the agent. */
  dropAgent(): void;
  /** The present poses of the vehicles, in the order of the start spots. */
  startSpots(): Promise<readonly Pose2D[]>;
  /** Both ports of the agent are connected. */
  beginEpisode(spot: number, settings: EpisodeSettings): void;
  endEpisode(): void;
  onControl(actuation: Actuation): void;
  /**
   * Prints a sentence for the user.
   * @param kind What it warns of, in the plural.
   */
  warn(kind: 'settings' | 'start spots', text: string): void;
  /** The client breaks a rule; its connections must be closed. */
  refuse(refusal: Refusal): void;
}

/** What an episode can have. */
export interface SessionOffer {
  /** Number of start spots. */
  readonly startSpots: number;
  /** Whether clients get sensors. */
  readonly sensors: boolean;
}

/** The conversation with one client, from bytes to episodes. Sockets and clocks are outside. */
export class ClientSession {
  readonly #out: SessionOutlet;
  readonly #world = new FrameDecoder(longestFrame);
  #control = new FrameDecoder(longestFrame);
  readonly #agent = { measurements: false, control: false };
  #settings: EpisodeSettings = defaultSettings;
  #phase: Phase = 'greeting';
  #spot = 0;
  /** When the client must have done what is next, ms. */
  #deadlineMs: number;
  #closed = false;

  /** @param nowMs Any monotonic clock, ms. */
  constructor(
    out: SessionOutlet,
    private readonly offer: SessionOffer,
    private readonly nowMs: () => number,
  ) {
    this.#out = out;
    this.#deadlineMs = nowMs() + clientTimeoutMs;
  }

  /** True after the first message of the client. */
  get hasAsked(): boolean {
    return this.#phase !== 'greeting';
  }

  /** Bytes came on the world port. */
  onWorldBytes(bytes: Uint8Array): void {
    this.#guarded(() => {
      if (!this.#world.inFrame) this.#expect();
      for (const frame of this.#world.push(bytes)) {
        if (this.#closed) return;
        this.#expect();
        this.#onWorldFrame(frame);
      }
    });
  }

  /** True when a connection to this port of the agent is due. */
  mayConnect(port: AgentPort): boolean {
    return this.#phase === 'connecting' && !this.#agent[port];
  }

  /** The client has connected a port of its agent. */
  onAgentConnected(port: AgentPort): void {
    this.#agent[port] = true;
    if (!this.#agent.measurements || !this.#agent.control) return;
    this.#phase = 'driving';
    this.#control = new FrameDecoder(longestFrame);
    this.#out.beginEpisode(this.#spot, this.#settings);
  }

  /** The client has closed a port of its agent. */
  onAgentClosed(): void {
    if (this.#phase !== 'driving' && this.#phase !== 'connecting') return;
    this.#endEpisode();
    this.#phase = 'between';
  }

  /** Bytes came on the control port. */
  onControlBytes(bytes: Uint8Array): void {
    this.#guarded(() => {
      if (!this.#control.inFrame) this.#expect();
      for (const frame of this.#control.push(bytes)) {
        this.#expect();
        this.#out.onControl(decodeControl(frame));
      }
    });
  }

  /**
   * To be called from time to time.
   * @param driving For how long the client has owed a control, and has not read its frames.
   */
  checkTime({ silentMs, blockedMs }: { silentMs: number; blockedMs: number }): void {
    this.#guarded(() => {
      const isDue = this.#phase !== 'driving' && this.#phase !== 'between';
      const isCut = this.#world.inFrame || (this.#phase === 'driving' && this.#control.inFrame);
      if ((isDue || isCut) && this.nowMs() > this.#deadlineMs) {
        throw new Refusal(`nothing came for ${clientTimeoutMs} ms where ${expected[this.#phase]}`);
      }
      if (silentMs > clientTimeoutMs) {
        throw new Refusal(`no Control came for ${clientTimeoutMs} ms in synchronous mode`);
      }
      if (blockedMs > clientTimeoutMs) {
        throw new Refusal(`it has not read its frames for ${clientTimeoutMs} ms`);
      }
    });
  }

  /** The client is gone. */
  close(): void {
    this.#closed = true;
    this.#endEpisode();
  }

  #onWorldFrame(frame: Uint8Array): void {
    if (this.#phase === 'scene') throw new Refusal('a frame came before the SceneDescription');
    if (this.#phase === 'choosing') this.#start(decodeEpisodeStart(frame));
    else this.#request(decodeRequestNewEpisode(frame));
  }

  #request(iniText: string): void {
    this.#endEpisode();
    const { sensors, warnings, ...settings } = parseSettings(iniText, this.#settings);
    this.#settings = { ...settings, warnings, sensors: this.offer.sensors ? sensors : [] };
    if (warnings.length > 0) this.#out.warn('settings', warnings.join(' '));
    this.#phase = 'scene';
    this.#out.startSpots().then(
      (startSpots) => {
        if (this.#closed) return;
        this.#phase = 'choosing';
        this.#expect();
        const scene = { startSpots, sensors: this.#settings.sensors, mapName };
        this.#out.writeWorld(encodeScene(scene));
      },
      (cause: unknown) => this.#out.refuse(new Refusal('no start spots', { cause })),
    );
  }

  #start(spot: number): void {
    const exists = spot < this.offer.startSpots;
    this.#spot = exists ? spot : 0;
    if (!exists) {
      const text = `Start spot ${spot} does not exist; the client has start spot 0.`;
      this.#out.warn('start spots', text);
    }
    this.#phase = 'connecting';
    this.#out.writeWorld(encodeEpisodeReady());
  }

  #endEpisode(): void {
    this.#agent.measurements = false;
    this.#agent.control = false;
    this.#out.endEpisode();
    this.#out.dropAgent();
  }

  #expect(): void {
    this.#deadlineMs = this.nowMs() + clientTimeoutMs;
  }

  #guarded(work: () => void): void {
    if (this.#closed) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#out.refuse(error);
    }
  }
}

const expected: Readonly<Record<Phase, string>> = {
  greeting: 'a RequestNewEpisode was due',
  scene: 'the rest of a frame was due',
  choosing: 'an EpisodeStart was due',
  connecting: 'the ports of the agent were due',
  driving: 'the rest of a frame was due',
  between: 'the rest of a frame was due',
};
