export { runCarlaGateway, type CarlaGatewayRun } from './carla/run-carla-gateway.js';
export { runCaveGateway, type CaveGatewayRun } from './cave/run-cave-gateway.js';
export {
  runSynchronoGateway,
  type SynchronoGatewayRun,
} from './synchrono/run-synchrono-gateway.js';
