import type { Manifest } from '#contracts';
import { type BlobStore, isBlobGone } from '#platform';
import { gapMessage } from '#search-index';

interface Source {
  readonly name: string;
  readonly generation: number;
  /** Blob hash of the manifest of its published generation. */
  readonly manifest: string;
}

/** The blobs of a source's published generation: the manifest, and its packs if it can be read. */
export interface SourceContent {
  readonly source: Source;
  readonly total: number;
  readonly missing: number;
  /** The message for its readers; null if nothing is missing. */
  readonly message: string | null;
}

/**
 * Checks whether the content of a published generation is in the blob store. A damaged blob counts
 * as missing.
 * @param packs whether packs are only looked up, which is quick, or read completely.
 */
export async function lookAtContent(
  blobs: BlobStore,
  source: Source,
  packs: 'look' | 'read',
): Promise<SourceContent> {
  const isThere = async (hash: string) =>
    packs === 'look' ? blobs.has(hash) : (await readIfThere(blobs, hash)) !== null;
  const bytes = await readIfThere(blobs, source.manifest);
  if (!bytes)
    return {
      source,
      total: 1,
      missing: 1,
      message: gapMessage(source.generation, { kind: 'manifest' }),
    };
  const manifest = JSON.parse(Buffer.from(bytes).toString()) as Manifest;
  let missing = 0;
  for (const { hash } of manifest.packs) if (!(await isThere(hash))) missing += 1;
  const total = manifest.packs.length;
  const message =
    missing === 0 ? null : gapMessage(source.generation, { kind: 'packs', missing, total });
  return { source, total: total + 1, missing, message };
}

/** Returns one check for all sources. */
export function contentCheck(contents: readonly SourceContent[]) {
  const name = 'content';
  const total = contents.reduce((sum, content) => sum + content.total, 0);
  const lacking = contents.filter(({ missing }) => missing > 0);
  if (lacking.length === 0) return { name, state: 'ok' as const, detail: `${total} blobs exist` };
  const missing = lacking.reduce((sum, content) => sum + content.missing, 0);
  const names = lacking.map(({ source }) => source.name).sort();
  return {
    name,
    state: 'failed' as const,
    detail: `${missing} of ${total} blobs are missing: ${names.join(', ')}; sync these sources`,
  };
}

async function readIfThere(blobs: BlobStore, hash: string): Promise<Uint8Array | null> {
  return blobs.get(hash).catch((error: unknown) => {
    if (isBlobGone(error)) return null;
    throw error;
  });
}
