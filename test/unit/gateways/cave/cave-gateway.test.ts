import { Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';

import { openCaveGateway } from '../../../../src/gateways/cave/cave-gateway.js';
import { freePorts } from '../../../support/free-ports.js';
import { datagram } from './messages.js';

/** A gateway that has given number 0 to a client, and its UDP socket. */
async function open() {
  const port = await freePorts(1);
  const bind = vi.spyOn(UdpSocket.prototype, 'bind');
  onTestFinished(() => bind.mockRestore());
  const lines: string[] = [];
  const gateway = await openCaveGateway({
    host: '127.0.0.1',
    port,
    ageOutMs: 60_000,
    steppedClients: 0,
    view: { subset: 'all' },
    events: {
      vehicleAdded: () => true,
      vehicleMoved: () => undefined,
      vehicleRemoved: () => undefined,
    },
    log: (text) => void lines.push(text),
  });
  onTestFinished(() => gateway.close());
  const tcp = connect(port, '127.0.0.1');
  onTestFinished(() => void tcp.destroy());
  tcp.write(Buffer.of(8));
  await once(tcp, 'data');
  const udp = bind.mock.contexts.at(-1) as UdpSocket;
  const receive = (bytes: Uint8Array, from: number) =>
    udp.emit('message', bytes, { address: '127.0.0.1', port: from });
  return { gateway, udp, lines, receive };
}

it('an answer is lost while the system takes no more', async () => {
  const { udp, receive } = await open();
  const send = vi.spyOn(udp, 'send').mockImplementation(() => undefined);
  receive(datagram.vehicle(0, 1, 1), 9);
  receive(datagram.vehicle(0, 1, 2), 9);
  expect(send).toHaveBeenCalledTimes(1);
  vi.spyOn(udp, 'getSendQueueSize').mockReturnValue(100 * 1024 * 1024);
  receive(datagram.vehicle(0, 1, 3), 9);
  expect(send).toHaveBeenCalledTimes(1);
});

it('a datagram with the source port 0 is refused', async () => {
  const { gateway, lines, receive } = await open();
  receive(datagram.vehicle(0, 1, 1), 0);
  receive(datagram.vehicle(0, 1, 2), 0);
  expect(gateway.refused).toBe(2);
  expect(lines).toEqual([expect.stringContaining('its source port is 0')]);
});
