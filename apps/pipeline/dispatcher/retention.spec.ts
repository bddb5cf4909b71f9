import { describe, expect, it } from '@jest/globals';

import { dueDrops } from './retention.js';
import type { GenerationEntry, SourceEntry } from './source-entry.js';

type Row = readonly [generation: number, state: GenerationEntry['state']];

const source = (rows: readonly Row[], removed = false): SourceEntry => ({
  sourceId: 's1',
  cause: { tenantId: 't1', correlationId: 'c', causationId: 'e' },
  removed,
  lastJobId: 'j9',
  lastJobSeen: true,
  upload: null,
  generations: rows.map(([generation, state]) => ({
    generation,
    state,
    jobId: `j${generation}`,
    manifest: 'm',
  })),
});

describe('retention', () => {
  const table: readonly [string, SourceEntry, number, ReturnType<typeof dueDrops>][] = [
    ['keeps the live one', source([[1, 'published']]), 0, []],
    [
      'keeps as many others as requested',
      source([
        [1, 'published'],
        [2, 'published'],
        [3, 'published'],
      ]),
      1,
      [{ generation: 1, reason: 'superseded' }],
    ],
    [
      'keeps no other when none is requested',
      source([
        [1, 'published'],
        [2, 'published'],
      ]),
      0,
      [{ generation: 1, reason: 'superseded' }],
    ],
    [
      'leaves a staged one alone, and does not count it',
      source([
        [1, 'published'],
        [2, 'staged'],
      ]),
      0,
      [],
    ],
    [
      'drops what was staged and never published',
      source([
        [1, 'published'],
        [2, 'cancelled'],
        [3, 'failed'],
      ]),
      5,
      [
        { generation: 2, reason: 'cancelled' },
        { generation: 3, reason: 'failed' },
      ],
    ],
    [
      'drops all of a removed source but what a job has still open',
      source(
        [
          [1, 'published'],
          [2, 'cancelled'],
          [3, 'staged'],
        ],
        true,
      ),
      5,
      [
        { generation: 1, reason: 'source_removed' },
        { generation: 2, reason: 'source_removed' },
      ],
    ],
  ];
  it.each(table)('%s', (_, entry, retained, drops) => {
    expect(dueDrops(entry, retained)).toEqual(drops);
  });
});
