/** Words that mean the same to the model of the tests. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['remove', 'delete', 'erase', 'discard', 'unlink'],
  ['fetch', 'download', 'retrieve', 'load'],
  ['start', 'launch', 'begin', 'boot'],
  ['error', 'failure', 'exception', 'fault'],
  ['user', 'person', 'account', 'member'],
  ['repeat', 'retry', 'again'],
  ['quick', 'fast', 'rapid'],
  ['car', 'automobile', 'vehicle'],
];

const CANONICAL = new Map(
  SYNONYMS.flatMap(([first = '', ...others]) =>
    others.map((word) => [stem(word), stem(first)] as const),
  ),
);
const SILENT = new Set(
  'a an the of to in is are how do does what where i it and for query passage'.split(' '),
);

/**
 * A unit vector of the words of a text: near for texts that share words or synonyms, a pure
 * function of its input.
 * @param baseline share of a direction that all texts have in common; about the cosine of texts
 * without a common word.
 */
export function wordVector(text: string, dimensions: number, baseline = 0): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of meanings(text)) {
    const hash = hashOf(word);
    for (const shift of [0, 11, 22]) {
      const at = ((hash >>> shift) ^ (hash * (shift + 7))) >>> 0;
      const index = at % dimensions;
      vector[index] = (vector[index] as number) + ((at >>> 9) & 1 ? 1 : -1);
    }
  }
  const own = Math.hypot(...vector);
  if (own === 0) vector[0] = 1;
  const common = 1 / Math.sqrt(dimensions);
  const share = Math.sqrt(baseline);
  const rest = Math.sqrt(1 - baseline);
  return vector.map((value) => share * common + (rest * value) / (own || 1));
}

function meanings(text: string): Set<string> {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+|\d+/g);
  return new Set(
    (words ?? [])
      .filter((word) => !SILENT.has(word))
      .map((word) => CANONICAL.get(stem(word)) ?? stem(word)),
  );
}

function stem(word: string): string {
  return word.replace(/(?<=...)(ing|ed|es|s)$/, '').replace(/(?<=...)e$/, '');
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1)
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
