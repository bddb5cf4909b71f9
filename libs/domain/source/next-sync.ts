/** A source that syncs by itself is at most this part of its interval later than that. */
const SPREAD = 0.1;

export interface SyncSchedule {
  readonly sourceId: string;
  /** 0: no syncs by themselves. */
  readonly intervalSeconds: number;
  /**
   * When the last sync ended, however it ended, or when the interval was set where that is later:
   * milliseconds since the epoch.
   */
  readonly since: number;
}

/**
 * When a source is synced next by itself, milliseconds since the epoch, or null where it is not.
 * Each source has a delay of its own, up to a tenth of the interval, which follows from its id:
 * sources whose interval was set at once drift apart instead of syncing together.
 */
export function nextSyncAt({ sourceId, intervalSeconds, since }: SyncSchedule): number | null {
  if (intervalSeconds === 0) return null;
  return since + Math.round(intervalSeconds * 1_000 * (1 + SPREAD * fractionOf(sourceId)));
}

/**
 * The same in the words of events and views: when a source whose last sync ended, or whose interval
 * was set, at a time is synced next by itself. ISO 8601 in UTC.
 */
export function plannedAt(sourceId: string, intervalSeconds: number, since: string): string | null {
  /* eslint-disable no-restricted-globals -- converts a given time; reads no clock */
  const at = nextSyncAt({ sourceId, intervalSeconds, since: Date.parse(since) });
  return at === null ? null : new Date(at).toISOString();
  /* eslint-enable no-restricted-globals */
}

/**
 * From 0 up to 1, the same for the same text: FNV-1a, mixed once more so that texts that differ at
 * their ends lie apart.
 */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
