import { z } from 'zod';

/** The two names of one protocol: https://github.com/foxglove/ws-protocol. The newer one is preferred. */
const subprotocols = ['foxglove.sdk.v1', 'foxglove.websocket.v1'] as const;

/** The name that both sides know; undefined when there is none. @param offered the header's value. */
export function commonSubprotocol(offered = ''): string | undefined {
  const names = offered.split(',').map((name) => name.trim());
  return subprotocols.find((name) => names.includes(name));
}

/** A stream of messages that a client can subscribe to. */
export interface Channel {
  readonly id: number;
  readonly topic: string;
  readonly encoding: 'cdr' | 'json';
  readonly schemaName: string;
  readonly schemaEncoding: 'ros2msg' | 'jsonschema';
  readonly schema: string;
}

/** Levels of a status. */
export const statusLevels = { warning: 1, error: 2 } as const;

/** What this server writes as JSON. */
export type ServerMessage =
  | {
      readonly op: 'serverInfo';
      readonly name: string;
      readonly capabilities: readonly never[];
      readonly sessionId: string;
    }
  | { readonly op: 'advertise'; readonly channels: readonly Channel[] }
  | { readonly op: 'status'; readonly level: number; readonly message: string };

const uint32 = z.int().min(0).max(0xffff_ffff);
const mostAtOnce = 256;

const clientMessage = z.union([
  z.object({
    op: z.literal('subscribe'),
    subscriptions: z.array(z.object({ id: uint32, channelId: uint32 })).max(mostAtOnce),
  }),
  z.object({ op: z.literal('unsubscribe'), subscriptionIds: z.array(uint32).max(mostAtOnce) }),
]);

/** What a client may ask for. */
export type ClientMessage = z.output<typeof clientMessage>;

/** The request in a text frame; undefined when it is none that this server serves. */
export function parseClientMessage(text: string): ClientMessage | undefined {
  try {
    return clientMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const headBytes = 13;
const messageOpcode = 1;

/** A binary frame. @param timeNs since 1970. */
export function messageFrame(subscription: number, timeNs: bigint, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + payload.length);
  frame.writeUInt8(messageOpcode, 0);
  frame.writeUInt32LE(subscription, 1);
  frame.writeBigUInt64LE(timeNs, 5);
  frame.set(payload, headBytes);
  return frame;
}
