import type { Manifest } from '#contracts';

/**
 * Bytes of a generation's packs; undefined where a pack of an earlier version does not record its
 * own.
 */
function packBytes({ packs }: Pick<Manifest, 'packs'>): number | undefined {
  return packs.reduce<number | undefined>(
    (sum, { bytes }) => (sum === undefined || bytes === undefined ? undefined : sum + bytes),
    0,
  );
}

/** The field of an event; absent where the bytes of the packs are not known. */
export function storedBytes(
  manifest: Pick<Manifest, 'packs'>,
  scratchBytes: number | undefined,
): { readonly bytes?: number } {
  const packs = packBytes(manifest);
  return packs === undefined || scratchBytes === undefined ? {} : { bytes: packs + scratchBytes };
}
