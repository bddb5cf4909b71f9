import type { ReadFilter } from './filter.js';
import type { Log, LogRecord } from './log.js';
import { type Place } from './place.js';

/** Events that pass which end a page, however many more its window would take. */
const MAX_PASSED = 32;

export interface Page {
  /** The first position of the page. */
  readonly start: Place;
  /** The first position of the next page. */
  readonly next: Place;
  readonly passed: readonly LogRecord[];
  readonly considered: number;
  /**
   * It ran into the end of the log. A page that is full at the very end does not: the one after it,
   * empty, does.
   */
  readonly atEnd: boolean;
}

/**
 * Reads forwards until the page has considered its window of events, or enough of them passed, or
 * the log ends.
 */
export function readPage(log: Log, start: Place, filter: ReadFilter | null): Page {
  const passed: LogRecord[] = [];
  const window = filter?.window ?? MAX_PASSED;
  const first = log.indexFrom(start);
  let index = first;
  for (; index - first < window && passed.length < MAX_PASSED; index += 1) {
    const record = log.all[index];
    if (!record) break;
    if (!filter || filter.matches(record)) passed.push(record);
  }
  const considered = index - first;
  const atEnd = considered < window && passed.length < MAX_PASSED;
  const next =
    considered === 0 ? start : { commit: log.all[index]?.position ?? log.end, prepare: 0 };
  return { start, next, passed, considered, atEnd };
}
