/** An identifier in a document. */
export interface Identifier {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  /** Its first column in UTF-16 units, from 1. */
  readonly column: number;
}

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** The service rejects longer names. */
const LONGEST = 200;

/** Returns the identifier around an offset in a line; null where there is none. */
export function identifierAt(text: string, offset: number): Omit<Identifier, 'line'> | null {
  for (const { 0: name, index } of text.matchAll(IDENTIFIER)) {
    if (index > offset) return null;
    if (offset <= index + name.length && name.length <= LONGEST) {
      return { name, column: index + 1 };
    }
  }
  return null;
}

/**
 * Returns the first place of a name in lines, as a whole word; null where they do not have it.
 * @param from number of the first line.
 */
export function findIdentifier(
  name: string,
  lines: readonly string[],
  from: number,
): Identifier | null {
  for (const [index, text] of lines.entries()) {
    for (const match of text.matchAll(IDENTIFIER)) {
      if (match[0] === name) return { name, line: from + index, column: match.index + 1 };
    }
  }
  return null;
}
