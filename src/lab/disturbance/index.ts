export { Disturbances, undisturbed, type DisturbanceSettings } from './disturbances.js';
export { RandomStream } from './random-stream.js';
