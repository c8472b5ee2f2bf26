export { runCarlaGateway, type CarlaGatewayRun } from './carla/run-carla-gateway.js';
