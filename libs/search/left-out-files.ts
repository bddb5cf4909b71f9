import type { LeftOutView } from '#contracts/http/index';
import type { LiveSource } from '#search-index';

import type { ScopedSource } from './search-scope.js';

/** Files by the reason for which a sync left them out. */
export type LeftOutCounts = Readonly<Record<string, number>>;

/** Counts files that are not in the index. */
export interface LeftOutFiles {
  /** Returns counts by source id; sources whose counts are not known are absent. */
  of(sources: readonly LiveSource[]): Promise<ReadonlyMap<string, LeftOutCounts>>;
}

/** Sources that one answer lists. */
const MOST_LISTED = 200;

/** The content by source that an exact search cannot look at. */
export interface LeftOutList {
  readonly leftOut: LeftOutView[];
  readonly warnings: readonly string[];
}

/** Lists the sources of which files were left out or secrets were removed. */
export function leftOutList(
  sources: readonly ScopedSource[],
  counts: ReadonlyMap<string, LeftOutCounts>,
  redacted: ReadonlyMap<string, number>,
): LeftOutList {
  const all = sources.flatMap(({ source }): LeftOutView[] => {
    const files = counts.get(source.sourceId);
    const redactedDocuments = redacted.get(source.sourceId) ?? 0;
    if (redactedDocuments === 0 && Object.keys(files ?? {}).length === 0) return [];
    return [
      {
        source_id: source.sourceId,
        source_name: source.name,
        files: { ...files },
        redacted_documents: redactedDocuments,
      },
    ];
  });
  const unknown = sources.filter(({ source }) => !counts.has(source.sourceId)).length;
  const more = all.length - MOST_LISTED;
  const warnings = [
    unknown > 0 && `Files left out of ${unknown} sources are not counted yet; repeat the search`,
    more > 0 && `${more} more sources have files left out; limit the search by source_ids`,
  ];
  return {
    leftOut: all.slice(0, MOST_LISTED),
    warnings: warnings.filter((warning) => warning !== false),
  };
}
