import { mapBounded } from '#platform';

import { writeListing, type SourceListing } from '../artifacts/source-listing.js';
import { requireListing } from './require-listing.js';
import type { StageContext, StageOutcome } from './stage.types.js';

/** Bytes to text: what each file is written in, and which files are no text to index. */
export async function parseStage(context: StageContext): Promise<StageOutcome> {
  const { blobs, pool, signal } = context;
  const listing = await requireListing(context);
  const skipped = new Map<string, string>();
  let files_parsed = 0;
  const details = () => ({
    files_parsed,
    files_skipped: (listing.skipped['files_skipped'] ?? 0) + skipped.size,
  });
  const parts = await mapBounded(listing.parts, pool.size + 1, signal, async (hash) => {
    const output = await pool.run('parse', { bytes: await blobs.get(hash) }, signal);
    for (const { path, reason } of output.skipped) skipped.set(path, reason);
    files_parsed += output.parsed;
    context.report({
      fraction: (files_parsed + skipped.size) / Math.max(1, listing.files_read),
      message: `Parsed ${files_parsed} of ${listing.files_read} files`,
      details: details(),
    });
    return blobs.put(output.bytes);
  });
  const next: SourceListing = { ...listing, parts, documents: withSkips(listing.documents, skipped) };
  const counted = { ...listing.skipped, ...reasons(skipped), ...details() };
  return {
    kind: 'advanced',
    artifact: await writeListing(blobs, next),
    details: counted,
    counters: { files_processed: listing.files_read },
  };
}

function withSkips(documents: SourceListing['documents'], skipped: ReadonlyMap<string, string>) {
  return documents.map((document) => {
    const reason = document.kept ? undefined : skipped.get(document.path);
    return reason === undefined ? document : { ...document, skipped: reason };
  });
}

function reasons(skipped: ReadonlyMap<string, string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of skipped.values()) {
    counts[`files_skipped_${reason}`] = (counts[`files_skipped_${reason}`] ?? 0) + 1;
  }
  return counts;
}
