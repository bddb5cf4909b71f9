/**
 * A process that appends to a log until it is killed or has appended enough. It prints a line for
 * every acknowledgement before it continues: `ack <stream> <revision> <event id>`. Arguments: the
 * log's folder, how many appends (default: no end).
 */
import { writeSync } from 'node:fs';

import { isFootnoteError } from '#contracts';
import { type EventStore, type ExpectedRevision, openSqliteEventStore } from '#event-store';

import { freshStream, someEvents } from '../support/sample-events.js';

/** Exit status of a process whose log failed, as a product process would end. */
const FATAL_EXIT = 70;
const APPENDERS = 6;

const [directory = '', count = 'Infinity'] = process.argv.slice(2);
const wanted = Number(count);
let begun = 0;
let full = false;

const store = await openSqliteEventStore({
  directory,
  onFatal: (error) => {
    print(`fatal ${error.message}`);
    process.exit(FATAL_EXIT);
  },
});
print('open');
await Promise.all(Array.from({ length: APPENDERS }, () => appendOn(store)));
await store.close();
print('closed');

async function appendOn(log: EventStore): Promise<void> {
  const stream = freshStream();
  let expected: ExpectedRevision = 'none';
  while (begun < wanted && !full) {
    begun += 1;
    const events = someEvents(1 + (begun % 3));
    try {
      const { revision } = await log.append(stream, events, expected);
      const first: bigint = revision - BigInt(events.length) + 1n;
      events.forEach((event, index) => print(`ack ${stream} ${first + BigInt(index)} ${event.id}`));
      expected = revision;
    } catch (error) {
      if (!isFootnoteError(error, 'storage_full')) throw error;
      print('full');
      full = true;
    }
  }
}

/**
 * Returns once the line is out. The pipe does not block: while its reader lags behind, it takes a
 * part or nothing.
 */
function print(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
