export { runCarlaGateway, type CarlaGatewayRun } from './carla/run-carla-gateway.js';
export { runDancersGateway, type DancersGatewayRun } from './dancers/run-dancers-gateway.js';
export { runCaveGateway, type CaveGatewayRun } from './cave/run-cave-gateway.js';
