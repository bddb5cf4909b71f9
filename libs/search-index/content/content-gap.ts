import type { Manifest } from '#contracts';
import { type BlobStore, isBlobGone } from '#platform';

/**
 * Content of a generation that the blob store lacks. Without its manifest, its packs are unknown.
 */
export type ContentGap =
  | { readonly kind: 'manifest' }
  | { readonly kind: 'packs'; readonly missing: number; readonly total: number };

export interface ContentGapOptions {
  /**
   * Whether a pack is only looked up, or read completely, which also finds a damaged one. A
   * manifest is always read. Default `look`.
   */
  readonly packs?: 'look' | 'read';
  /**
   * Results of earlier calls, kept by a caller, because generations of one source share their
   * packs.
   */
  readonly known?: Map<string, Promise<boolean>>;
}

/**
 * Finds the missing content of a generation; a damaged blob counts as missing.
 * @param manifest blob hash of its manifest.
 * @returns null if nothing is missing.
 * @throws errors of an unavailable blob store.
 */
export async function findContentGap(
  blobs: Pick<BlobStore, 'get' | 'has'>,
  manifest: string,
  options: ContentGapOptions = {},
): Promise<ContentGap | null> {
  const bytes = await readOrNull(blobs, manifest);
  if (bytes === null) return { kind: 'manifest' };
  const { packs } = JSON.parse(Buffer.from(bytes).toString('utf8')) as Manifest;
  return findPackGap(
    blobs,
    packs.map(({ hash }) => hash),
    options,
  );
}

/** Finds missing packs only. */
export async function findPackGap(
  blobs: Pick<BlobStore, 'get' | 'has'>,
  hashes: readonly string[],
  { packs = 'look', known = new Map<string, Promise<boolean>>() }: ContentGapOptions = {},
): Promise<ContentGap | null> {
  const isThere = (hash: string): Promise<boolean> => {
    const there = known.get(hash) ?? (packs === 'look' ? blobs.has(hash) : isWhole(blobs, hash));
    known.set(hash, there);
    return there;
  };
  const found =
    packs === 'look' ? await Promise.all(hashes.map(isThere)) : await oneByOne(hashes, isThere);
  const missing = found.filter((there) => !there).length;
  return missing === 0 ? null : { kind: 'packs', missing, total: hashes.length };
}

/** Returns the message for a source whose generation has a gap. */
export function gapMessage(generation: number, gap: ContentGap): string {
  const what = gap.kind === 'manifest' ? 'the manifest' : `${gap.missing} of ${gap.total} packs`;
  return `Content of this source is missing: ${what} of generation ${generation}. Sync the source to rebuild it.`;
}

/** Checks packs one by one. Packs are large, and checks must not delay other readers. */
async function oneByOne(
  hashes: readonly string[],
  work: (hash: string) => Promise<boolean>,
): Promise<boolean[]> {
  const found: boolean[] = [];
  for (const hash of hashes) found.push(await work(hash));
  return found;
}

async function isWhole(blobs: Pick<BlobStore, 'get' | 'has'>, hash: string): Promise<boolean> {
  return (await readOrNull(blobs, hash)) !== null;
}

async function readOrNull(
  blobs: Pick<BlobStore, 'get' | 'has'>,
  hash: string,
): Promise<Uint8Array | null> {
  try {
    return await blobs.get(hash);
  } catch (error) {
    if (isBlobGone(error)) return null;
    throw error;
  }
}
