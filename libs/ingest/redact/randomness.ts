const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;

/** Returns the bits a character, computed from the frequencies of the characters. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/**
 * Returns whether a value is generated, unlike names, paths and numbers. It has letters and digits,
 * few of them repeated, and changes between cases and digits as no words do. UUIDs are names more
 * often than keys.
 */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || !/[0-9]/.test(value) || !/[A-Za-z]/.test(value) || UUID.test(value))
    return false;
  if (HEX.test(value)) return value.length >= 24 && entropy(value) >= 2.8;
  return entropy(value) >= (value.length < 24 ? 3.3 : 3.6) && changes(value) >= 0.24;
}

/**
 * Returns the share of neighbors that are of different classes, without separators; a capital
 * before small letters is one word. Random base64 has .44, hex .47, camelCase .2, words with
 * hyphens almost none.
 */
function changes(value: string): number {
  let before = '';
  let changed = 0;
  let counted = 0;
  for (const character of value) {
    const kind = classOf(character);
    if (kind === 'separator') continue;
    counted += 1;
    if (before !== '' && kind !== before && !(before === 'upper' && kind === 'lower')) changed += 1;
    before = kind;
  }
  return counted < 2 ? 0 : changed / (counted - 1);
}

function classOf(character: string): 'lower' | 'upper' | 'digit' | 'separator' | 'symbol' {
  if (character >= 'a' && character <= 'z') return 'lower';
  if (character >= 'A' && character <= 'Z') return 'upper';
  if (character >= '0' && character <= '9') return 'digit';
  return '-_./:'.includes(character) ? 'separator' : 'symbol';
}

/**
 * Counts the classes of a password: small letters, capitals, digits and signs. Signs that paths
 * consist of do not count.
 */
export function characterClasses(value: string): number {
  return [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9.*_/:-]/].filter((one) => one.test(value)).length;
}
