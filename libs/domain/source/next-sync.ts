/** Maximum delay of a scheduled sync, as a fraction of its interval. */
const SPREAD = 0.1;

export interface SyncSchedule {
  readonly sourceId: string;
  /** 0: no scheduled syncs. */
  readonly intervalSeconds: number;
  /**
   * The later of two times: the end of the last sync, whatever its outcome, and the change of the
   * interval. Milliseconds since the epoch.
   */
  readonly since: number;
}

/**
 * Returns the time of the next scheduled sync, milliseconds since the epoch, or null if there is
 * none. Each source has its own delay of up to a tenth of the interval, derived from its id. So
 * sources whose intervals were set together do not sync together.
 */
export function nextSyncAt({ sourceId, intervalSeconds, since }: SyncSchedule): number | null {
  if (intervalSeconds === 0) return null;
  return since + Math.round(intervalSeconds * 1_000 * (1 + SPREAD * fractionOf(sourceId)));
}

/**
 * Returns the same in the terms of events and views. The argument is the end of the last sync, or
 * the change of the interval. ISO 8601 in UTC.
 */
export function plannedAt(sourceId: string, intervalSeconds: number, since: string): string | null {
  /* eslint-disable no-restricted-globals -- converts a given time; reads no clock */
  const at = nextSyncAt({ sourceId, intervalSeconds, since: Date.parse(since) });
  return at === null ? null : new Date(at).toISOString();
  /* eslint-enable no-restricted-globals */
}

/**
 * Returns a number from 0 to 1, the same for the same text. FNV-1a, mixed once more so that texts
 * with different ends lie apart.
 */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
