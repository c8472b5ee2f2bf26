import { expect, it } from 'vitest';

import { freePorts } from '../../support/free-ports.js';
import { startCommand } from '../../support/gateway-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';

it.each([
  ['fleet', [], 'vehicle 1 in real time'],
  ['lab', [], 'lab control in real time'],
  ['gateway', ['cave'], 'CAVE clients are served'],
])('hlc-middleware %s ends cleanly by a Ctrl-C that comes twice', async (command, flags, ready) => {
  const port = command === 'gateway' ? [`--port=${await freePorts(1)}`] : [];
  const program = startCommand(isolatedCycloneUri(), command, ...flags, ...port);
  await program.stderr.until((line) => line.startsWith(ready));
  // A terminal sends it to the group, and "ros2 launch" sends it again.
  program.signal('SIGINT');
  program.signal('SIGINT');
  expect(await program.ended).toEqual({ code: 130, signal: null });
});
