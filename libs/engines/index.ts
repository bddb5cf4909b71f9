export { dataFolders } from './data-folders.js';

export { type JudgedStore, type Standing, type StoreState } from './identity/judge.js';
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
export { Opened } from './opened.js';
export { Patience } from './patience.js';
export { runServerProcess } from './run-server-process.js';
