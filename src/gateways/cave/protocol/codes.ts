/** The first byte of a datagram, and the only one of a message over TCP. */
export const codes = {
  nothing: 0,
  disconnect: 1,
  vehicle: 2,
  heartbeat: 5,
  dsrc: 6,
  packet: 7,
  connectionRequest: 8,
  connectionAccept: 9,
  connectionDecline: 10,
  reset: 11,
} as const;

/** Codes from this one on are those of elements that CAVE does not have itself. */
export const firstFurtherCode = 12;

/** The connection number of the server, whose elements are the vehicles of the lab. */
export const serverConnection = -1;

/** The answer to a connection request: the code and the number of the connection, in one write. */
export function encodeAccept(connectionNumber: number): Uint8Array {
  const answer = new Uint8Array(5);
  answer[0] = codes.connectionAccept;
  new DataView(answer.buffer).setUint32(1, connectionNumber, true);
  return answer;
}
