/** Longest name that is compared, characters: no field has more. */
const MAX_NAME = 40;
/** Most edits between a name and the one that was meant. */
const MAX_EDITS = 2;

/**
 * Returns the known name nearest to an unknown one. It is written alike but for case and
 * separators, or at most two edits away, and fewer than half of its letters. Undefined where none
 * is near. Costs at most as many steps as there are letters in both.
 */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length > MAX_NAME) return undefined;
  const wanted = plain(unknown);
  let nearest: string | undefined;
  let fewest = Math.min(MAX_EDITS, Math.floor((wanted.length - 1) / 2)) + 1;
  for (const name of known) {
    const edits = editsBetween(wanted, plain(name));
    if (edits < fewest) [nearest, fewest] = [name, edits];
  }
  return nearest;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/** Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_EDITS) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? Infinity;
}
