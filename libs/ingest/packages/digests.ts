import type { ArchiveDigest } from './package-registry.port.js';

const LENGTHS = { sha512: 128, sha384: 96, sha256: 64, sha1: 40 } as const;
/** Algorithms, best first. */
const ALGORITHMS = ['sha512', 'sha384', 'sha256', 'sha1'] as const;

/** Returns a digest in hex; null if its length is wrong for its kind. */
export function hexDigest(
  algorithm: ArchiveDigest['algorithm'],
  value: unknown,
): ArchiveDigest | null {
  if (
    typeof value !== 'string' ||
    !/^[0-9a-f]+$/i.test(value) ||
    value.length !== LENGTHS[algorithm]
  )
    return null;
  return { algorithm, hex: value.toLowerCase() };
}

/**
 * Returns the strongest digest of a subresource integrity text (`sha512-… sha1-…`), without
 * options.
 */
export function integrityDigest(value: unknown): ArchiveDigest | null {
  if (typeof value !== 'string') return null;
  const digests = value.split(/\s+/).map((word) => {
    const match = /^(sha512|sha384|sha256|sha1)-([A-Za-z0-9+/]+={0,2})(?:\?.*)?$/.exec(word);
    const algorithm = ALGORITHMS.find((each) => each === match?.[1]);
    return (
      algorithm && hexDigest(algorithm, Buffer.from(match?.[2] ?? '', 'base64').toString('hex'))
    );
  });
  return (
    ALGORITHMS.map((algorithm) => digests.find((each) => each?.algorithm === algorithm)).find(
      (each) => each,
    ) ?? null
  );
}
