import { footnotePeer } from './footnote.peer.js';
import { lanceFlatPeer, lanceHnswPeer } from './lancedb.peer.js';
import { langchainPeer } from './langchain.peer.js';
import { oramaPeer } from './orama.peer.js';
import type { Peer } from './peer.js';
import { sqlitePeer } from './sqlite.peer.js';

/** In the order of the report's columns. */
export const PEERS: readonly Peer[] = [
  footnotePeer,
  lanceFlatPeer,
  lanceHnswPeer,
  sqlitePeer,
  oramaPeer,
  langchainPeer,
];
