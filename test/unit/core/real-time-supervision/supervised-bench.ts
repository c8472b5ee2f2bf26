import {
  type SupervisionRule,
  type Command,
  type CommandVehicle,
  type ControllerReport,
} from '../../../../src/core/index.js';
import { RealTimeBench } from '../real-time-bench.js';
import { MS, only, speedCommand, stops } from '../support.js';

/** The period. */
export const P = 50n * MS;

/** A session in which these rules hold for controller 2; controller 1 is only logged. */
export function supervised(
  rule: Partial<SupervisionRule> = {},
  changes: ConstructorParameters<typeof RealTimeBench>[0] = {},
): RealTimeBench {
  const strict: SupervisionRule = {
    policy: 'stop',
    missLimit: 3,
    stopAfterNs: null,
    graceNs: 0n,
    holdPeriods: 2,
    resume: 'manual',
    ...rule,
  };
  const logged = { ...strict, policy: 'log' as const };
  const ruleOf = (id: number) => (id === 2 ? strict : logged);
  const supervision = { ruleOf, stops, latched: [] };
  return new RealTimeBench({ supervision, ...changes });
}

/** A session in which controller 2 has answered the first start signal, and is silent then. */
export function silent(...args: Parameters<typeof supervised>): RealTimeBench {
  const bench = supervised(...args);
  bench.command(speedCommand(2, bench.start()));
  return bench;
}

/** The state of vehicle 2 at 50 Hz, while the session runs for this long. */
export function drive(bench: RealTimeBench, speedMps: number, ns: bigint): void {
  for (let t = 0n; t < ns; t += 20n * MS) {
    bench.run(20n * MS);
    bench.state(2, bench.clocks.realtimeNs, '', speedMps);
  }
}

export function report(bench: RealTimeBench, id = 2): ControllerReport | undefined {
  return bench.session.controllers().find((controller) => controller.id === id);
}

export function stopCommands(bench: RealTimeBench): CommandVehicle[] {
  return only(bench.log, 'commandVehicle').filter(({ cause }) => cause === 'stop');
}

export function kindsOfStops(bench: RealTimeBench): Command['kind'][] {
  return stopCommands(bench).map(({ command }) => command.kind);
}
