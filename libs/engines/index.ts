export { dataFolders, type DataFolders } from './data-folders.js';
export { embeddedEngines, requireServers } from './engine-set.js';
export type { EngineName, EnginePorts, Engines } from './engines.types.js';
export { ALL_ENGINES, openEngines } from './open-engines.js';
