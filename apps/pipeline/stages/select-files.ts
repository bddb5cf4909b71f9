import type { Manifest, SourceDefinition } from '#contracts';
import type { GitEntry } from '#ingest';
import { FileSelector } from '#ingest/select/file-selector';
import { SkipCounter } from '#ingest/select/skip-counter';

import type { ListedDocument } from '../artifacts/source-listing.js';

export interface SelectedFiles {
  /** All documents of the new generation in path order; those that the base has are kept. */
  readonly documents: readonly ListedDocument[];
  /** The ones whose content is needed. */
  readonly toRead: readonly ListedDocument[];
  /** Files left out by name or size: `files_skipped` and its parts. */
  readonly skipped: Readonly<Record<string, number>>;
}

/**
 * Decides which files of a commit make up the generation, and which of them the base already has: same path, same blob.
 * @param base the manifest to keep from; null reads everything.
 */
export function selectFiles(
  entries: readonly GitEntry[],
  definition: SourceDefinition,
  maxFileBytes: number,
  base: Manifest | null,
): SelectedFiles {
  const selector = new FileSelector({
    include: definition.include_patterns,
    exclude: definition.exclude_patterns,
    maxFileBytes,
    paths: entries.map(({ path }) => path),
  });
  const before = new Map(base?.documents.map((document) => [document.path, document]));
  const skips = new SkipCounter();
  const documents: ListedDocument[] = [];
  for (const entry of entries) {
    const decision = selector.decide(entry);
    if (decision === 'unselected') continue;
    if (decision !== 'read') skips.add(decision);
    else documents.push(listed(entry, before.get(entry.path), selector.isNamed(entry.path)));
  }
  return { documents, toRead: documents.filter(({ kept }) => !kept), skipped: skips.details() };
}

function listed(
  { path, oid }: GitEntry,
  before: Manifest['documents'][number] | undefined,
  named: boolean,
): ListedDocument {
  if (before?.version !== oid) return { path, version: oid, ...(named && { named: true as const }) };
  return { path, version: oid, kept: true, ...(before.skipped !== undefined && { skipped: before.skipped }) };
}
