export { RosClock } from './clock.js';
export { offerControl } from './control-services.js';
export { announceDiagnostics, DiagnosticLevel, type DiagnosticStatus } from './diagnostics.js';
export { offerLifecycle } from './lifecycle-services.js';
export { fullNameOf, namesakesOf } from './names.js';
export { offerParameters } from './parameter-services.js';
export { Parameters, type ParameterEntry, type ParameterValue } from './parameters.js';
