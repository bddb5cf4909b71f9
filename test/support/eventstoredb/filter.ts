import type streams from '@eventstore/db-client/generated/streams_pb.js';

import type { LogRecord } from './log.js';

export interface ReadFilter {
  matches(record: LogRecord): boolean;
  /** Records that one page of the history considers. */
  readonly window: number;
  /**
   * A checkpoint is sent after this many records that were considered, counted by pages in the
   * history.
   */
  readonly checkpointEvery: number;
}

const DEFAULT_WINDOW = 32;

/** The server-side filter of a request; null when it has none. */
export function filterOf(options: streams.ReadReq.Options): ReadFilter | null {
  const filter = options.getFilter();
  if (!filter) return null;
  const byType = filter.getEventType();
  const expression = byType ?? filter.getStreamIdentifier();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = expression?.getRegex() ? new RegExp(expression.getRegex(), 'u') : null;
  const window = filter.hasMax() ? filter.getMax() : DEFAULT_WINDOW;
  return {
    window,
    matches: (record) => {
      const name = byType ? record.type : record.stream;
      return regex ? regex.test(name) : prefixes.some((prefix) => name.startsWith(prefix));
    },
    checkpointEvery: window * filter.getCheckpointintervalmultiplier(),
  };
}
