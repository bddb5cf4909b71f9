import { setImmediate as turn } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { GroupCommit } from './group-commit.js';
import type { AppendOutcome, AppendRequest, CommittedGroup } from './log-protocol.js';

const request = (stream: string, events = 1): AppendRequest => ({
  kind: 'append',
  tag: stream.charCodeAt(0),
  stream,
  expected: 'any',
  events: Array.from({ length: events }, () => ({
    id: 'i',
    type: 'T',
    data: '{}',
    metadata: '{}',
  })),
});

/** A log that records its groups, and handles each as the test says. */
function groups(write: (group: readonly AppendRequest[]) => readonly AppendOutcome[]) {
  const written: string[][] = [];
  const answers: CommittedGroup[] = [];
  const faults: unknown[] = [];
  const log = {
    head: 7,
    append: (group: readonly AppendRequest[]) => {
      written.push(group.map((append) => append.stream));
      return write(group);
    },
  };
  const commits = new GroupCommit(
    log,
    (answer) => void answers.push(answer),
    (error) => void faults.push(error),
  );
  return { commits, written, answers, faults };
}

const appended = (group: readonly AppendRequest[]): AppendOutcome[] =>
  group.map((_, index) => ({ kind: 'appended', revision: index, position: index + 1 }));

describe('GroupCommit', () => {
  it('writes appends of one turn as one group and answers it at once', async () => {
    const { commits, written, answers } = groups(appended);
    commits.add(1, request('a'));
    commits.add(2, request('b'));
    expect(written).toEqual([]);
    await turn();
    await turn();
    expect(written).toEqual([['a', 'b']]);
    expect(answers).toEqual([
      {
        head: 7,
        outcomes: [
          [1, { kind: 'appended', revision: 0, position: 1 }],
          [2, { kind: 'appended', revision: 1, position: 2 }],
        ],
        recordedAt: expect.any(Number),
        written: [
          { tag: 97, revision: 0, position: 1 },
          { tag: 98, revision: 1, position: 2 },
        ],
      },
    ]);
  });

  it('splits at 1,000 events, never inside an append, and keeps the order', () => {
    const { commits, written } = groups(appended);
    ['a', 'b', 'c', 'd'].forEach((stream, index) => commits.add(index, request(stream, 400)));
    commits.add(9, request('large', 1_500));
    commits.add(10, request('small'));
    commits.flush();
    expect(written).toEqual([['a', 'b'], ['c', 'd'], ['large'], ['small']]);
  });

  it('answers every append of a group with storage-full when the disk is full, and continues', () => {
    let full = true;
    const { commits, written, answers, faults } = groups((group) => {
      if (full) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
      return appended(group);
    });
    commits.add(1, request('a'));
    commits.add(2, request('b'));
    commits.flush();
    full = false;
    commits.add(3, request('c'));
    commits.flush();
    expect(answers.map(({ outcomes }) => outcomes)).toEqual([
      [
        [1, { kind: 'storage-full' }],
        [2, { kind: 'storage-full' }],
      ],
      [[3, { kind: 'appended', revision: 0, position: 1 }]],
    ]);
    expect([written, faults]).toEqual([[['a', 'b'], ['c']], []]);
  });

  it.each([
    ['an I/O error', 10],
    ['a failed fsync', 1_034],
    ['a corrupt page', 11],
    ['a file that is not a database', 26],
    ['a read-only disk', 8],
    ['a broken index', 2_067],
  ])('acknowledges nothing more after %s', (_, errcode) => {
    const { commits, written, answers, faults } = groups(() => {
      throw Object.assign(new Error('disk'), { errcode });
    });
    commits.add(1, request('a', 800));
    commits.add(2, request('b', 800));
    commits.flush();
    expect(faults).toHaveLength(1);
    expect([answers, written]).toEqual([[], [['a']]]);
  });
});
