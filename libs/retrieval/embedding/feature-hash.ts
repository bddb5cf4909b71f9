const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16777619;

/** Seeded FNV-1a over UTF-16 units with MurmurHash3's finaliser. @returns an unsigned 32-bit integer. */
export function featureHash(text: string, seed: number): number {
  let x = seed ^ FNV_OFFSET;
  for (let i = 0; i < text.length; i++) x = Math.imul(x ^ text.charCodeAt(i), FNV_PRIME);
  x ^= x >>> 15;
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  x ^= x >>> 16;
  return x >>> 0;
}
