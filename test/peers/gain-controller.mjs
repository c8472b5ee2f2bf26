// A controller of vehicle 1 whose curvature is a gain times a function of the heading.
// Usage: node gain-controller.mjs [--gain=<number>] [--silent-after=<steps>]

import process from 'node:process';
import { parseArgs } from 'node:util';
import { createController } from '../../dist/controller/index.js';

const { values } = parseArgs({
  options: {
    gain: { type: 'string', default: '1' },
    'silent-after': { type: 'string', default: 'Infinity' },
  },
});
const gain = Number(values.gain);
const silentAfter = Number(values['silent-after']);
let steps = 0;

const controller = createController({
  vehicleIds: [1],
  network: { domainId: 1 },
  onStep({ vehicles }) {
    if (steps++ >= silentAfter) return undefined;
    if (steps === 3) process.stdout.write('commanded\n');
    const yaw = vehicles.get(1)?.pose.yaw ?? 0;
    const curvature = gain * (0.5 - Math.sin(yaw));
    return { kind: 'speedCurvature', vehicle_id: 1, speed: 0.5, curvature };
  },
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
process.once('SIGTERM', () => controller.close());
