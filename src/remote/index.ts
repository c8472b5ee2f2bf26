export { sendControlRequest } from './control-client.js';
export {
  startControlServer,
  type ControlServer,
  type ControlServerOptions,
} from './control-server.js';
export { listen } from './listen.js';
export { overwriteFile, readSmallFile, replaceFile, syncFile } from './small-file.js';
export { causeOf, checkSocketPath, prepareFolder } from './socket-path.js';
export {
  type ControlReply,
  type ControlRequest,
  type ControlStatus,
  decodeRequest,
  encodeLine,
  longestMark,
  mostRemoteAgents,
  remoteAgentSchema,
  type RemoteAgentStatus,
  type SessionRequest,
  stateWords,
} from './protocol.js';
