import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { JsonObject, ProposedEvent } from '#contracts';
import { openSqliteEventStore, type SqliteEventStore } from '#event-store';
import { events, follow, kinds } from '#test/contracts/event-store/observe';
import { freshStream, someEvents } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

describe('the tail over the log', () => {
  let folder: ReturnType<typeof tempDir>;
  let store: SqliteEventStore;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(async () => {
    await store.close().catch(() => undefined);
    folder.remove();
  });

  const open = async (timeoutMs?: number): Promise<SqliteEventStore> => {
    store = await openSqliteEventStore({
      directory: folder.path,
      onFatal: (error) => {
        throw error;
      },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return store;
  };
  const withText = (text: string): ProposedEvent => {
    const [event] = someEvents(1);
    const data: JsonObject = {
      ...(event as ProposedEvent).data,
      text,
      nested: [{ n: 1.5, none: null }],
    };
    return { ...(event as ProposedEvent), data };
  };

  it('delivers live exactly what the log delivers later', async () => {
    await open();
    const live = follow(store, { after: 'start' });
    await live.until((seen) => kinds(seen).includes('caught-up'));
    const stream = freshStream();
    const texts = [
      'plain',
      'ünïcödé \u{1f600}',
      'a\u0000b',
      '\ud800 alone',
      '"quoted"\n\\',
      'x'.repeat(70_000),
    ];
    await store.append(stream, texts.map(withText), 'none');
    await Promise.all(
      texts.map((text) => store.append(freshStream('job'), [withText(text)], 'none')),
    );
    await live.until((seen) => events(seen).length === 12);
    await live.stop();
    await store.close();

    await open();
    const later = follow(store, { after: 'start' });
    await later.until((seen) => events(seen).length === 12);
    await later.stop();
    expect(events(live.seen)).toEqual(events(later.seen));
  });
});
