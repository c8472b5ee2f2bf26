import { expect } from 'vitest';
import { badLinkTest } from './bad-link.js';
import { ms } from './fault-row.js';

/** All of them belong to one period, so that no check has a reason to refuse one. */
const commands = Number(process.env.HLC_FAULT_COMMANDS ?? 100_000);
/**
 * Two batches are under way at most, and the socket of a vehicle without a processor takes both (256 packets of up to
 * 160 bytes by default): the writer of the middleware keeps the newest command of a vehicle only.
 */
const batch = 100;
/** So often is looked what came, and nothing comes any more when that was the same so many times. */
const lookMs = 10;
const mostLooks = 300;

badLinkTest(
  {
    row: 10,
    fault: `${commands} reliable commands over a link that loses 5 % of all packets`,
    mode: 'real time',
    expected: 'none lost, none forwarded twice',
  },
  async ({ link, startMiddleware, startController, startVehicles }, measured) => {
    const vehicles = startVehicles({ quiet: true });
    const controller = startController({ ids: [1] });
    await controller.events.until(({ event }) => event === 'ready');
    const periodMs = 600_000;
    // The one start signal comes this long after the start of the middleware, which needs less than
    // a second to be ready, and the next one comes in ten minutes.
    const leadMs = 8000;
    const offsetMs = (Date.now() + leadMs) % periodMs;
    const middleware = startMiddleware(
      '--vehicle-ids=1',
      `--period-ms=${periodMs}`,
      `--offset-nanoseconds=${BigInt(offsetMs) * 1_000_000n}`,
    );
    await middleware.untilLogged('all controllers are ready');
    await controller.events.until(({ event }) => event === 'start');
    link.lose(0.05);
    const begunNs = process.hrtime.bigint();
    let sent = 1; // the answer to the start signal
    const report = async () => {
      vehicles.order('report');
      return await vehicles.next('report');
    };
    /** Settles when so many have come, or nothing has come for a while. */
    const untilReceived = async (count: number) => {
      let last = await report();
      for (let still = 0; still < mostLooks && Number(last.received) < count;) {
        await new Promise((resolve) => setTimeout(resolve, lookMs));
        const next = await report();
        still = next.received === last.received ? still + 1 : 0;
        last = next;
      }
      return last;
    };
    for (; sent <= commands; sent += batch) {
      controller.order('burst', { count: batch });
      await controller.next('burst');
      await untilReceived(sent);
    }
    const last = await untilReceived(sent);
    const tookNs = process.hrtime.bigint() - begunNs;
    const { dropped } = await link.statistics();
    middleware.signal('SIGINT');
    await middleware.ended;
    const { commands_forwarded, commands_refused, writes_failed } = middleware.summary();
    const { vehicleCommandDirect: forwarded = 0 } = commands_forwarded;
    const received = Number(last.received);
    const distinct = Number(last.distinct);
    measured(
      `${sent} sent, ${sent - distinct} lost, ${received - distinct} twice, ${dropped} packets lost on the way, in ${ms(tookNs)}`,
    );
    expect(commands_refused).toEqual({});
    expect(writes_failed).toEqual({});
    expect(forwarded).toBe(sent);
    expect(received).toBe(sent);
    expect(distinct).toBe(sent);
    expect(last.backwards).toBe(0);
    expect(dropped).toBeGreaterThan(0);
  },
);
