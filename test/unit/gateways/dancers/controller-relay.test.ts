import { expect, it, onTestFinished } from 'vitest';

import { loadShippedQos } from '../../../../src/dds/qos/index.js';
import { ControllerRelay } from '../../../../src/gateways/dancers/lab/controller-relay.js';
import { topics } from '../../../../src/messages/index.js';
import { InMemoryNetwork } from '../../../support/in-memory-transport.js';

const reliable = { reliability: { kind: 'reliable' } } as const;
const durable = { ...reliable, durability: { kind: 'transient-local' } } as const;

/** A relay of vehicle 1, and the controllers on its own domain. */
function openRelay() {
  const [middleware, own] = [new InMemoryNetwork(), new InMemoryNetwork()];
  const seen: string[] = [];
  middleware.join().createReader(topics.readyStatus, reliable, {
    onSample: ({ bytes }) => seen.push(`ready ${topics.readyStatus.codec.decode(bytes).source_id}`),
    onMatched: (_, { joined }) => seen.push(joined ? 'joined' : 'left'),
  });
  const relay = new ControllerRelay({
    vehicleId: 1,
    joinMiddleware: () => middleware.join(),
    ownDomain: own.join(),
    libraries: loadShippedQos(),
    log: (text) => seen.push(text),
  });
  onTestFinished(() => relay.close());
  return {
    /** What the middleware sees. */
    taken: async () => {
      await own.idle();
      await middleware.idle();
      return seen.splice(0);
    },
    /** A controller that is ready. */
    startController: async () => {
      const participant = own.join();
      participant.createReader(topics.vehicleStateList, reliable, { onSample: () => undefined });
      const ready = participant.createWriter(topics.readyStatus, durable);
      await own.idle();
      const signal = { source_id: 'hlc_1', next_start_stamp: { nanoseconds: 0n } };
      ready.write(topics.readyStatus.codec.encode(signal));
      return participant;
    },
  };
}

it('a relay leaves with its controller', async () => {
  const { taken, startController } = openRelay();
  const controller = await startController();
  expect(await taken()).toEqual(['joined', 'ready hlc_1']);
  controller.close();
  expect(await taken()).toEqual(['left', 'joined']);
});

it('a relay stays when the lease of a killed controller ends after the next one is ready', async () => {
  const { taken, startController } = openRelay();
  const killed = await startController();
  const next = await startController();
  expect(await taken()).toEqual(['joined', 'ready hlc_1', 'ready hlc_1']);
  killed.close();
  expect(await taken()).toEqual([]);
  next.close();
  expect(await taken()).toEqual(['left', 'joined']);
});
