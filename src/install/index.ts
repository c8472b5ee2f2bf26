export { type InstallRequest, runInstall } from './run-install.js';
