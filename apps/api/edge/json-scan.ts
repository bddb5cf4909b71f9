/**
 * Deepest nesting of arrays and objects that a body may have; far below what overflows the stack
 * later.
 */
export const MAX_JSON_DEPTH = 32;

/**
 * Most fields of all objects of a body together. No request has a hundredth of them; a body of
 * 90,000 held the event loop for 0.3 s.
 */
export const MAX_JSON_FIELDS = 5_000;

export type JsonProblem =
  | { readonly kind: 'too_deep' }
  | { readonly kind: 'too_many_fields' }
  /** The same key twice in one object: parsers disagree on which one counts. */
  | { readonly kind: 'duplicate_key'; readonly key: string }
  /** A key that every object inherits, such as `__proto__` or `constructor`. */
  | { readonly kind: 'inherited_key'; readonly key: string };

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

interface Frame {
  /** Keys so far, or null in an array. */
  readonly keys: Set<string> | null;
  expectsKey: boolean;
}

/**
 * One pass over JSON text before it is parsed. It judges valid JSON only; on anything else the
 * parser that follows reports the error. Linear in the text, and it never recurses.
 */
export function scanJson(text: string): JsonProblem | null {
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  let fields = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        if (frame?.keys && frame.expectsKey) {
          fields += 1;
          if (fields > MAX_JSON_FIELDS) return { kind: 'too_many_fields' };
          const problem = keyProblem(text.slice(at, end + 1), frame.keys);
          if (problem) return problem;
          frame.expectsKey = false;
        }
        at = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY: {
        if (frames.length === MAX_JSON_DEPTH) return { kind: 'too_deep' };
        const isObject = text.charCodeAt(at) === OPEN_OBJECT;
        frame = { keys: isObject ? new Set() : null, expectsKey: isObject };
        frames.push(frame);
        break;
      }
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        frames.pop();
        frame = frames.at(-1);
        break;
      case COMMA:
        if (frame?.keys) frame.expectsKey = true;
        break;
    }
  }
  return null;
}

function keyProblem(literal: string, seen: Set<string>): JsonProblem | null {
  const key = decode(literal);
  if (key === null) return null;
  if (key in Object.prototype) return { kind: 'inherited_key', key };
  if (seen.has(key)) return { kind: 'duplicate_key', key };
  seen.add(key);
  return null;
}

function decode(literal: string): string | null {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}

/**
 * Index of the closing quote of the string that opens at `start`, or the last index of the text.
 */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length - 1;
}
