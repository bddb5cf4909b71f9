/** Slots of the hash table: more than twice the tokens of o200k. */
const SLOTS = 2 ** 19;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16_777_619;
const [SPACE, NEWLINE, PADDING, ZERO] = Buffer.from(' \n=0') as unknown as [
  number,
  number,
  number,
  number,
];
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
/** Bytes of a byte order mark. */
export const MARK_BYTES = BYTE_ORDER_MARK.length;

/** Value of each base64 digit. */
const DIGITS = new Uint8Array(128);
Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/').forEach(
  (digit, value) => (DIGITS[digit.charCodeAt(0)] = value),
);

/** The tokens of a vocabulary with their ranks, and a hash table over them. */
export interface VocabularyTables {
  /** Token of each slot plus one; 0 if the slot is empty. Their number is a power of two. */
  readonly slots: Int32Array;
  /** Start of each token in `bytes`, and the end of the last one. */
  readonly starts: Uint32Array;
  readonly ranks: Uint32Array;
  /** The tokens, one after the other. */
  readonly bytes: Uint8Array;
}

/**
 * Builds the tables of a vocabulary, which takes some 40 ms for o200k.
 *
 * @param file lines of a token in base64, a space and its rank.
 * @throws RangeError for too many tokens.
 */
export function buildTables(file: Uint8Array): VocabularyTables {
  const lines = linesOf(file);
  if (lines * 2 > SLOTS) throw new RangeError(`a vocabulary has at most ${SLOTS / 2} tokens`);
  const bytes = new Uint8Array(Math.ceil((file.length * 3) / 4));
  const starts = new Uint32Array(lines + 1);
  const ranks = new Uint32Array(lines);
  const slots = new Int32Array(SLOTS);
  const tables = { slots, starts, ranks, bytes };
  let token = 0;
  for (let at = 0; at < file.length; token++) at = readToken(file, at, tables, token);
  for (let each = 0; each < token; each++) list(tables, each);
  return { ...tables, bytes: bytes.slice(0, starts[token]) };
}

/** Reads one line. @returns the start of the next one. */
function readToken(
  file: Uint8Array,
  from: number,
  { starts, ranks, bytes }: VocabularyTables,
  token: number,
): number {
  let end = starts[token] as number;
  let at = from;
  for (let bits = 0, value = 0; file[at] !== SPACE; at++) {
    if (file[at] === PADDING) continue;
    value = ((value << 6) | (DIGITS[file[at] as number] as number)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[end++] = value >> bits;
  }
  let rank = 0;
  for (at++; at < file.length && file[at] !== NEWLINE; at++) {
    rank = rank * 10 + (file[at] as number) - ZERO;
  }
  starts[token + 1] = end;
  ranks[token] = rank;
  return at + 1;
}

function list({ slots, starts, bytes }: VocabularyTables, token: number): void {
  const [from, to] = [starts[token] as number, starts[token + 1] as number];
  // Never found, since the mark of a text is ignored.
  if (startsWithMark(bytes, from, to)) return;
  let slot = slotOf(bytes, from, to) & (SLOTS - 1);
  while (slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  slots[slot] = token + 1;
}

function linesOf(file: Uint8Array): number {
  let lines = 0;
  for (let at = 0; at < file.length; at = file.indexOf(NEWLINE, at) + 1 || file.length) lines++;
  return lines;
}

export function startsWithMark(text: Uint8Array, from: number, to: number): boolean {
  return (
    text[from] === BYTE_ORDER_MARK[0] &&
    to - from >= BYTE_ORDER_MARK.length &&
    text[from + 1] === BYTE_ORDER_MARK[1] &&
    text[from + 2] === BYTE_ORDER_MARK[2]
  );
}

/** Returns the hash of a token; its low bits are the slot at which a search for it begins. */
export function slotOf(text: Uint8Array, from: number, to: number): number {
  let hash = FNV_OFFSET;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (text[at] as number), FNV_PRIME);
  return hash ^ (hash >>> 15);
}
