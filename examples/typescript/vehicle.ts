// A vehicle of your own: it drives as fast, and turns as tightly, as it is commanded.
import { parseArgs } from 'node:util';
import { createVehicles, HlcError } from 'hlc-middleware/sides';

const stepS = 0.02; // 50 states a second, as the vehicles of the CPM Lab
const mostChange = 2 * stepS; // m/s in a step, at 2 m/s²

const { values } = parseArgs({
  options: {
    'vehicle-id': { type: 'string', default: '1' },
    domain: { type: 'string', default: '0' },
  },
});
const vehicleId = Number(values['vehicle-id']);

try {
  const vehicles = await createVehicles({
    ids: [vehicleId],
    labDomain: Number(values.domain),
    profile: { kinds: ['speedCurvature'] },
    onError: (error) => console.error('vehicle:', error),
  });
  let [x, y, yaw, speed] = [0, 0, 0, 0];
  const timer = setInterval(() => {
    const command = vehicles.commandFor(vehicleId); // null: 1 s without a command, so it stops
    const { message } = command?.kind === 'speedCurvature' ? command : { message: null };
    const change = (message?.speed ?? 0) - speed;
    speed += Math.max(-mostChange, Math.min(mostChange, change));
    yaw += speed * (message?.curvature ?? 0) * stepS;
    x += speed * Math.cos(yaw) * stepS;
    y += speed * Math.sin(yaw) * stepS;
    vehicles.publish({ vehicleId, pose: { x, y, yaw }, speed });
  }, stepS * 1000);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      clearInterval(timer);
      vehicles.close();
    });
  }
} catch (error) {
  console.error('vehicle:', error instanceof Error ? error.message : error);
  process.exitCode = error instanceof HlcError ? error.exitCode : 2;
}
