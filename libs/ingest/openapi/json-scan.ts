const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Result of a scan that found no JSON. */
const NONE = -1;

/**
 * Visits the members of a JSON object by their places in its text, without parsing their values.
 * Keys, colons, commas and brackets of the object itself must be JSON; the visitor answers for the
 * values.
 *
 * @param at index of the opening brace.
 * @param visit receives a key and the index of its value, and returns the end of that value; a
 * negative number ends the scan.
 * @returns the end of the object; -1 where the text is no object, a key repeats or a visit failed.
 * @throws SyntaxError, TypeError for a key that is no text in JSON.
 */
export function scanMembers(
  bytes: Buffer,
  at: number,
  visit: (key: string, valueAt: number) => number,
): number {
  if (bytes[at] !== OPEN_OBJECT) return NONE;
  const keys = new Set<string>();
  let next = afterSpace(bytes, at + 1);
  if (bytes[next] === CLOSE_OBJECT) return next + 1;
  for (;;) {
    if (bytes[next] !== QUOTE) return NONE;
    const keyEnd = endOfString(bytes, next);
    const colon = afterSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return NONE;
    const key = parseText(bytes, next, keyEnd) as string;
    if (keys.size === keys.add(key).size) return NONE;
    const end = visit(key, afterSpace(bytes, colon + 1));
    if (end < 0) return NONE;
    next = afterSpace(bytes, end);
    if (bytes[next] === CLOSE_OBJECT) return next + 1;
    if (bytes[next] !== COMMA) return NONE;
    next = afterSpace(bytes, next + 1);
  }
}

/**
 * Returns the end of a value by its quotes and brackets alone. A text between the two ends that
 * parses as JSON is the whole value; -1 where no value ends.
 */
export function endOfValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return endOfString(bytes, at);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return endOfWord(bytes, at);
  let depth = 0;
  for (let next = at; next < bytes.length; next += 1) {
    switch (bytes[next]) {
      case QUOTE:
        next = endOfString(bytes, next) - 1;
        if (next < at) return NONE;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        depth += 1;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth -= 1;
        if (depth === 0) return next + 1;
        break;
      default:
    }
  }
  return NONE;
}

/** Parses a part of the text. @throws SyntaxError, TypeError for anything but JSON in UTF-8. */
export function parseText(bytes: Buffer, start: number, end: number): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start, end)));
}

/** Returns the index of the next character that is no white space of JSON. */
export function afterSpace(bytes: Buffer, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next += 1;
  return next;
}

function endOfString(bytes: Buffer, at: number): number {
  for (let next = at + 1; next < bytes.length; next += 1) {
    const byte = bytes[next];
    if (byte === BACKSLASH) next += 1;
    else if (byte === QUOTE) return next + 1;
  }
  return NONE;
}

/** Returns the end of a number or of a word such as `true`. */
function endOfWord(bytes: Buffer, at: number): number {
  let next = at;
  while (next < bytes.length && !isDelimiter(bytes[next])) next += 1;
  return next > at ? next : NONE;
}

function isDelimiter(byte: number | undefined): boolean {
  return isSpace(byte) || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
