export { dataFolders, type DataFolders } from './data-folders.js';
export { LOG_STREAM } from './identity/create-log.js';
export {
  classify,
  type ClassifiedStore,
  type Standing,
  type StoreStanding,
  type StoreState,
} from './identity/classify-stores.js';
export { LogIdentity } from './identity/log-identity.js';
export { OtherLogError } from './identity/other-log-error.js';
export {
  STORES,
  placesOf,
  type Places,
  type StoreName,
  type StorePlace,
} from './identity/stores.js';
export { EngineStartError } from './engine-start-error.js';
export { embeddedEngines, requireServers } from './engine-set.js';
export type { EngineName, EnginePorts, Engines } from './engines.types.js';
export { ALL_ENGINES, openEngines } from './open-engines.js';
export { Resources } from './resources.js';
export { StartupRetry, type StartupRetryOptions } from './startup-retry.js';
export { runServerProcess, type ProcessRoom, type ServerProcess } from './run-server-process.js';
