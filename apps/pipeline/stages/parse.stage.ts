import { mapBounded } from '#platform';

import { rawPart } from '../artifacts/part-name.js';
import { type SourceListing, writeListing } from '../artifacts/source-listing.js';
import type { PreparedOutput } from '../thread-pool/stage-tasks.js';
import { holdsPdfs, parsePdfPart } from './parse-pdfs.js';
import { StuckDocuments } from './part-turns.js';
import { requireListing } from './require-listing.js';
import type { StageContext, StageDetails, StageOutcome } from './stage.types.js';
import { textsOf } from './turns-of-stages.js';

/**
 * Bytes to text without secrets: what each file is written in, and which files are no text to
 * index.
 */
export async function parseStage(context: StageContext): Promise<StageOutcome> {
  const { pool, signal, job } = context;
  const listing = await requireListing(context);
  const skipped = new Map<string, string>();
  const redacted: Record<string, number> = {};
  let files_parsed = 0;
  let pages_parsed = 0;
  let pages_without_text = 0;
  let bytesLeft = 0;
  const before = skippedBefore(listing);
  // Documents left out by name, by content, and by content in an earlier sync: the same counts as
  // if everything had been read again.
  const details = () => ({
    ...withReasons({ ...before, files_parsed }, skipped),
    ...(pages_parsed > 0 && { pages_parsed, pages_without_text }),
    ...redacted,
  });
  const stuck = new StuckDocuments(job.url);
  const parsePart = async (hash: string) => {
    const bytes = await context.parts.get(hash);
    if (holdsPdfs(bytes)) return [await parsePdfPart(context, bytes)];
    return textsOf(context, hash, stuck, bytes);
  };
  const fold = (output: PreparedOutput['parse']) => {
    for (const { path, reason } of output.skipped) skipped.set(path, reason);
    countRedacted(redacted, output.redacted);
    files_parsed += output.parsed;
    bytesLeft += output.size;
    context.report({
      fraction: (files_parsed + skipped.size) / Math.max(1, listing.files_read),
      message: `Parsed ${files_parsed} of ${listing.files_read} files`,
      details: details(),
    });
  };
  const parts = await mapBounded(listing.parts, pool.size + 1, signal, async (hash) => {
    const prepared = await context.ahead.resultOf(hash);
    if (prepared) {
      fold(prepared.parse);
      return [rawPart(hash)];
    }
    const hashes: string[] = [];
    for (const output of await parsePart(hash)) {
      pages_parsed += 'pages' in output ? output.pages : 0;
      pages_without_text += 'pages' in output ? output.blankPages : 0;
      fold({ ...output, size: output.bytes.byteLength });
      hashes.push(await context.parts.put(output.bytes));
    }
    return hashes;
  });
  const next: SourceListing = {
    ...listing,
    parts: parts.flat(),
    documents: withSkips(listing.documents, skipped),
  };
  return {
    kind: 'advanced',
    artifact: await writeListing(context.parts, next),
    details: details(),
    counters: { files_processed: listing.files_read },
    bytes: bytesLeft,
  };
}

/**
 * `secrets_redacted` and its parts by kind, in the files that this sync reads; absent where there
 * are none.
 */
function countRedacted(counts: Record<string, number>, found: StageDetails): void {
  for (const [kind, count] of Object.entries(found)) {
    for (const name of ['secrets_redacted', `secrets_redacted_${kind}`])
      counts[name] = (counts[name] ?? 0) + count;
  }
}

function withSkips(documents: SourceListing['documents'], skipped: ReadonlyMap<string, string>) {
  return documents.map((document) => {
    const reason = document.kept ? undefined : skipped.get(document.path);
    return reason === undefined ? document : { ...document, skipped: reason };
  });
}

/**
 * Counters of what is left out whatever this stage finds: by name or size, and known documents by
 * their content.
 */
function skippedBefore({ skipped, documents }: SourceListing): StageDetails {
  const kept = documents.filter((document) => document.kept && document.skipped !== undefined);
  return withReasons(
    skipped,
    new Map(kept.map((document) => [document.path, document.skipped ?? ''])),
  );
}

function withReasons(details: StageDetails, skipped: ReadonlyMap<string, string>): StageDetails {
  const counts: Record<string, number> = { ...details };
  for (const reason of skipped.values()) {
    counts[`files_skipped_${reason}`] = (counts[`files_skipped_${reason}`] ?? 0) + 1;
  }
  return { ...counts, files_skipped: (details['files_skipped'] ?? 0) + skipped.size };
}
