import path from 'node:path';
import { it } from 'vitest';
import { root } from '../../../tools/paths.mjs';
import { expectToDrive } from '../../support/shown-controller.js';

it('the controller of examples/c answers every start signal, and ends when the lab stops', async () => {
  await expectToDrive({
    command: path.join(root, 'build/examples/c/controller'),
    args: ['--vehicle-id=1'],
    cycloneUri: `file://${path.join(root, 'examples/cyclonedds-loopback.xml')}`,
    topic: 'vehicleCommandSpeedCurvature',
  });
});
