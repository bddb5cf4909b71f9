import type { Config } from '#platform';

import type { DataFolders } from '../data-folders.js';
import { type ServerName, SERVERS } from '../engine-set.js';

interface StoreKind {
  readonly title: string;
  /** The server that it may be on; embedded without one. */
  readonly server: ServerName;
  /** Further variables that name it on the server. */
  readonly also: readonly string[];
  readonly folder: keyof DataFolders;
  /** True if it can be rebuilt from log and content, so that its data may be lost. */
  readonly disposable: boolean;
}

/** Every store that belongs to one log, by the name of its engine. */
export const STORES = {
  readModel: {
    title: 'read models',
    server: 'postgres',
    also: [],
    folder: 'readModels',
    disposable: true,
  },
  blobs: {
    title: 'content',
    server: 's3',
    also: ['S3_BUCKET'],
    folder: 'blobs',
    disposable: false,
  },
  queue: {
    title: 'work queue',
    server: 'kafka',
    also: ['KAFKA_TOPIC_PREFIX'],
    folder: 'queue',
    disposable: true,
  },
  feed: {
    title: 'event feed',
    server: 'kafka',
    also: ['KAFKA_TOPIC_PREFIX'],
    folder: 'queue',
    disposable: true,
  },
  searchIndex: {
    title: 'search index',
    server: 'openSearch',
    also: ['OPENSEARCH_INDEX_PREFIX'],
    folder: 'index',
    disposable: true,
  },
  keyRing: { title: 'key ring', server: 'postgres', also: [], folder: 'keys', disposable: false },
} as const satisfies Readonly<Record<string, StoreKind>>;

export type StoreName = keyof typeof STORES;

/** The log, in the same form as the stores. */
const LOG = { title: 'event log', server: 'eventStore', also: [], folder: 'log' } as const;

/**
 * The location of a store: variables for one on a server, the folder below DATA_DIR for an embedded
 * one.
 */
export interface StorePlace {
  readonly title: string;
  /** Without credentials, because addresses are named only by their variables. */
  readonly place: string;
  readonly variables: readonly string[];
}

/** Returns the location of a store, for messages. */
export type Places = (name: StoreName | 'eventStore') => StorePlace;

function placeOfStore(
  name: StoreName | 'eventStore',
  { engines, dataDir }: Pick<Config, 'engines' | 'dataDir'>,
  folders: DataFolders,
): StorePlace {
  const { title, server, also, folder }: Omit<StoreKind, 'disposable'> =
    name === 'eventStore' ? LOG : STORES[name];
  if (engines[server] === undefined) {
    return {
      title,
      place: `DATA_DIR${folders[folder].slice(dataDir.length)}`,
      variables: ['DATA_DIR'],
    };
  }
  const variables = [SERVERS[server].variable, ...also];
  return { title, place: variables.join(', '), variables };
}

/** Returns the configured locations of the log and each store. */
export function placesOf(
  config: Pick<Config, 'engines' | 'dataDir'>,
  folders: DataFolders,
): Places {
  return (name) => placeOfStore(name, config, folders);
}

/** Returns the stores among the engines of a process; the feed only if it is configured. */
export function storesAmong(
  needs: readonly string[],
  { engines }: Pick<Config, 'engines'>,
): readonly StoreName[] {
  const names = Object.keys(STORES) as StoreName[];
  return names.filter(
    (name) => needs.includes(name) && (name !== 'feed' || engines.kafka !== undefined),
  );
}
