import { describe, expect, it } from '@jest/globals';

import type { BlobStore } from '#platform';

import type { Ledger } from '../dispatcher/ledger.js';
import { markBlobs } from './collect-blobs.js';

const MANIFEST = Buffer.from('{"format":1,"tenant_id":"t1","source_id":"s1","packs":[]}');
const blobs = { get: () => Promise.resolve(MANIFEST) } as unknown as BlobStore;

/** Marks the blobs of one source with an uploaded file and a SCIP index. */
function marked(state: { readonly removed: boolean; readonly generations: readonly object[] }) {
  const source = { upload: 'upload', scip: [{ blob: 'table' }], ...state };
  const ledger = { sources: new Map([['s1', source]]), jobs: new Map() } as unknown as Ledger;
  return markBlobs(blobs, ledger);
}

describe('marking of blobs', () => {
  const kept = [{ generation: 1, manifest: 'manifest' }];

  it('keeps file, tables and generations of a source', async () => {
    expect([...(await marked({ removed: false, generations: kept }))].sort()).toEqual([
      'manifest',
      'table',
      'upload',
    ]);
  });

  it('keeps them after a removal while generations are kept, as under a legal hold', async () => {
    expect([...(await marked({ removed: true, generations: kept }))].sort()).toEqual([
      'manifest',
      'table',
      'upload',
    ]);
  });

  it('keeps nothing once the generations are dropped', async () => {
    expect([...(await marked({ removed: true, generations: [] }))]).toEqual([]);
  });
});
