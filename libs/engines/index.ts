export { dataFolders } from './data-folders.js';

export {
  type ClassifiedStore,
  type Standing,
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

export type { EngineName, Engines } from './engines.types.js';
export { ALL_ENGINES, openEngines } from './open-engines.js';
export { recordConfiguration } from './record-configuration.js';
export { Resources } from './resources.js';
export { StartupRetry } from './startup-retry.js';
export { runServerProcess } from './run-server-process.js';
