import { describe, expect, it } from '@jest/globals';

import { type AppendVerdict, checkAppend, type StreamView } from './append-check.js';
import type { Expectation } from './log-protocol.js';

/** A stream that contains these ids, all of them recent. */
function streamOf(...ids: string[]): StreamView {
  return {
    last: ids.length === 0 ? null : ids.length - 1,
    idsFrom: (revision, count) => ids.slice(revision, revision + count),
    recentRevision: (id) => (ids.includes(id) ? ids.indexOf(id) : undefined),
  };
}

describe('checkAppend', () => {
  it.each<[string, Expectation, string[], string[], AppendVerdict]>([
    ['none on an empty stream', 'none', [], ['x'], { kind: 'write', next: 0 }],
    ['none on a stream with events', 'none', ['a', 'b'], ['x'], { kind: 'conflict', actual: 1 }],
    [
      'none, repeated',
      'none',
      ['a', 'b', 'c'],
      ['a', 'b'],
      { kind: 'already-written', revision: 1 },
    ],
    ['none, repeated with another rest', 'none', ['a', 'b'], ['a', 'x'], { kind: 'corrupted' }],
    ['none, repeated and longer than the stream', 'none', ['a'], ['a', 'b'], { kind: 'corrupted' }],
    ['the current revision', 1, ['a', 'b'], ['x'], { kind: 'write', next: 2 }],
    ['an older revision', 0, ['a', 'b'], ['x'], { kind: 'conflict', actual: 1 }],
    [
      'an older revision, repeated',
      0,
      ['a', 'b', 'c'],
      ['b'],
      { kind: 'already-written', revision: 1 },
    ],
    [
      'an older revision, repeated elsewhere',
      0,
      ['a', 'b', 'c'],
      ['c'],
      { kind: 'conflict', actual: 2 },
    ],
    ['a newer revision', 5, ['a', 'b'], ['x'], { kind: 'conflict', actual: 1 }],
    ['a revision of an empty stream', 0, [], ['x'], { kind: 'conflict', actual: null }],
    ['exists on an empty stream', 'exists', [], ['x'], { kind: 'conflict', actual: null }],
    ['exists on a stream with events', 'exists', ['a'], ['x'], { kind: 'write', next: 1 }],
    ['exists, repeated', 'exists', ['a', 'b'], ['b'], { kind: 'already-written', revision: 1 }],
    ['any on an empty stream', 'any', [], ['x'], { kind: 'write', next: 0 }],
    ['any, repeated', 'any', ['a', 'b'], ['a', 'b'], { kind: 'already-written', revision: 1 }],
    ['any, repeated with another rest', 'any', ['a', 'b'], ['a', 'x'], { kind: 'corrupted' }],
  ])('%s', (_, expected, stored, proposed, verdict) => {
    expect(checkAppend(expected, proposed, streamOf(...stored))).toEqual(verdict);
  });
});
