import type { RankedPlace } from '../metric.js';

/** The first so many results of each file, in their order. */
export function firstOfFiles(places: readonly RankedPlace[], most: number): RankedPlace[] {
  const seen = new Map<string, number>();
  return places.filter(({ path }) => {
    const count = (seen.get(path) ?? 0) + 1;
    seen.set(path, count);
    return count <= most;
  });
}
