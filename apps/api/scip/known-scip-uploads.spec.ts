import { describe, expect, it } from '@jest/globals';

import type { ScipUpload } from '#contracts';

import type { ErasedTenants } from '../auth/erased-tenants.js';
import type { InMemoryProjections } from '../in-memory/in-memory-projections.js';
import { KnownScipUploads } from './known-scip-uploads.js';

interface Followed {
  replace(rows: readonly object[]): void;
  apply(event: object): void;
}

const upload = (name: string, digit: string): ScipUpload => ({
  name,
  blob: digit.repeat(64),
  bytes: 10,
  version_ref: 'v1',
  generation: 1,
  documents: 1,
  occurrences: 1,
  symbols: 1,
});

/** Returns the uploads with what they follow. */
function known() {
  let followed: Followed | undefined;
  const projections = {
    followRows: (given: Followed) => {
      followed = given;
    },
  } as unknown as InMemoryProjections;
  const erased = { has: () => false } as unknown as ErasedTenants;
  const uploads = new KnownScipUploads(projections, erased);
  if (!followed) throw new Error('Nothing is followed');
  return { uploads, followed };
}

describe('known uploads of SCIP indexes', () => {
  const [ts, py] = [upload('ts', 'a'), upload('py', 'b')];
  const names = (uploads: KnownScipUploads, tenant = 't1') =>
    uploads.usedOf(tenant, 's1').map(({ name }) => name);

  it('forgets the names of a removal, for the tenant alone', () => {
    const { uploads, followed } = known();
    for (const tenant_id of ['t1', 't2'])
      for (const scip of [ts, py]) {
        const data = { source_id: 's1', scip };
        followed.apply({ type: 'SourceScipUploaded', tenant_id, data });
      }
    const data = { source_id: 's1', names: ['ts'] };
    followed.apply({ type: 'SourceScipRemoved', tenant_id: 't1', data });
    expect([names(uploads), names(uploads, 't2')]).toEqual([['py'], ['py', 'ts']]);
    expect(uploads.hasDropped('t1', 's1', ts.blob)).toBe(true);
    expect(uploads.hasDropped('t1', 's1', py.blob)).toBe(false);
    expect(uploads.hasDropped('t2', 's1', ts.blob)).toBe(false);
  });

  it('knows after a start that all indexes of a source were removed', () => {
    const { uploads, followed } = known();
    followed.replace([
      { tenant_id: 't1', source_id: 's1', scip: [] },
      { tenant_id: 't1', source_id: 's2', scip: [ts] },
    ]);
    expect(names(uploads)).toEqual([]);
    expect(uploads.hasDropped('t1', 's1', ts.blob)).toBe(true);
    expect(uploads.hasDropped('t1', 's2', ts.blob)).toBe(false);
    expect(uploads.hasDropped('t1', 's3', ts.blob)).toBe(false);
  });
});
