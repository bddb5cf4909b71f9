import { validationFailed } from '#contracts';
import type { AnalyticsBucket, AnalyticsQuery } from '#contracts/http/index';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LENGTHS: Readonly<Record<AnalyticsBucket, number>> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};
/** The epoch was a Thursday; weeks begin on Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const DEFAULT_DAYS = 30;
/** Buckets of an answer. */
export const MAX_BUCKETS = 1_000;

/** A period, cut into buckets of one length in UTC. */
export class TimeBuckets {
  private constructor(
    private readonly first: number,
    private readonly length: number,
    /** Number of buckets. */
    readonly count: number,
    /** First and last moment of the period, ISO 8601. */
    readonly from: string,
    readonly to: string,
  ) {}

  /** @throws FootnoteError `validation_failed` for a period that is reversed or too long. */
  static of({ from, to, bucket }: AnalyticsQuery, now: Date): TimeBuckets {
    const end = to === undefined ? now.getTime() : Date.parse(to);
    const start = from === undefined ? end - DEFAULT_DAYS * DAY_MS : Date.parse(from);
    if (start > end) throw invalid(`must not be after to (got ${isoOf(start)})`);
    const length = LENGTHS[bucket];
    const offset = bucket === 'week' ? FIRST_MONDAY_MS : 0;
    const first = Math.floor((start - offset) / length) * length + offset;
    const count = Math.floor((end - first) / length) + 1;
    if (count > MAX_BUCKETS)
      throw invalid(`must be at most ${MAX_BUCKETS} buckets before to (got ${count})`);
    return new TimeBuckets(first, length, count, isoOf(start), isoOf(end));
  }

  /** Returns a row for each bucket. */
  rows<T extends object>(row: () => T): (T & { readonly start: string })[] {
    return Array.from({ length: this.count }, (_, at) => ({
      start: isoOf(this.first + at * this.length),
      ...row(),
    }));
  }

  /** Returns the index of the bucket of a moment in the period. */
  indexOf(moment: string): number {
    return Math.floor((Date.parse(moment) - this.first) / this.length);
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function invalid(message: string) {
  return validationFailed([{ field: 'from', message }]);
}
