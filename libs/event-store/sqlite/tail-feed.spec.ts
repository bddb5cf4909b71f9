import { describe, expect, it } from '@jest/globals';

import { LogTail, passes } from './log-tail.js';
import { TailFeed } from './tail-feed.js';

const rows = (...ids: string[]) =>
  ids.map((id) => ({ id, type: 'T', data: `{"id":"${id}"}`, metadata: '{}' }));

describe('the feed of the tail', () => {
  const start = (head = 0) => {
    const tail = new LogTail(head);
    const feed = new TailFeed(tail);
    const kept = (after: number) =>
      tail
        .page(after, passes(), 100)
        ?.events.map(({ event }) => `${event.stream} ${event.id} ${event.revision}`) ?? null;
    return { tail, feed, kept };
  };

  it('adds sent events at the positions that the log reports', () => {
    const { feed, kept, tail } = start(10);
    const [a, b] = [feed.sending('job-a', rows('a1', 'a2')), feed.sending('job-b', rows('b1'))];
    const written = [
      { tag: b, revision: 7, position: 11 },
      { tag: a, revision: 1, position: 13 },
    ];
    feed.grew({ head: 13, recordedAt: 5, written });
    expect(kept(10)).toEqual(['job-b b1 7', 'job-a a1 0', 'job-a a2 1']);
    expect(tail.page(10, passes(), 1)?.events[0]?.event.recordedAt).toEqual(new Date(5));
  });

  it('adds a repeated append once, also within one group', () => {
    const { feed, kept } = start();
    const tags = [1, 2].map(() => feed.sending('job-a', rows('a1')));
    feed.grew({
      head: 1,
      recordedAt: 5,
      written: tags.map((tag) => ({ tag, revision: 0, position: 1 })),
    });
    const again = feed.sending('job-a', rows('a1'));
    feed.grew({ head: 1, recordedAt: 9, written: [{ tag: again, revision: 0, position: 1 }] });
    expect(kept(0)).toEqual(['job-a a1 0']);
  });

  it('restarts after an append that is written although no caller waited for it', () => {
    const { feed, kept } = start();
    const known = feed.sending('job-a', rows('a1'));
    feed.grew({ head: 1, recordedAt: 5, written: [{ tag: known, revision: 0, position: 1 }] });
    const late = feed.sending('job-b', rows('b1', 'b2'));
    feed.settled(late);
    const next = feed.sending('job-c', rows('c1'));
    const written = [
      { tag: late, revision: 1, position: 3 },
      { tag: next, revision: 0, position: 4 },
    ];
    feed.grew({ head: 4, recordedAt: 6, written });
    expect(kept(0)).toBeNull();
    expect(kept(2)).toBeNull();
    expect(kept(3)).toEqual(['job-c c1 0']);
  });

  it('is never behind the log', () => {
    const { feed, tail } = start();
    feed.grew({ head: 6, recordedAt: 5, written: [] });
    expect(tail.last).toBe(6);
  });
});
