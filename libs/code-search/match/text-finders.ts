import type { LineText } from './line-text.js';

const NOWHERE = -1;

/** Finds the places of one text, in order. */
export interface TextFinder {
  /**
   * Returns the offset of the first place at or after an offset, in bytes; -1 if there is none.
   * @param at not less than in the call before.
   */
  next(at: number): number;
}

/** Finds a text as it is. */
export function finderOf({ bytes }: LineText, text: string): TextFinder {
  const wanted = Buffer.from(text);
  let place = NOWHERE;
  let isOver = false;
  return {
    next: (at) => {
      if (isOver || place >= at) return place;
      place = bytes.indexOf(wanted, at);
      isOver = place === NOWHERE;
      return place;
    },
  };
}

/** Finds a folded text in a text that has a folded form. */
export function foldedFinder(lines: LineText, folded: string, text: string): TextFinder {
  const { isAscii } = lines;
  let [place, from] = [NOWHERE, 0];
  let [counted, bytes] = [0, 0];
  const offsetOf = (unit: number): number => {
    if (isAscii) return unit;
    bytes += Buffer.byteLength(lines.text.slice(counted, unit));
    counted = unit;
    return bytes;
  };
  let isOver = false;
  return {
    next: (at) => {
      // Each unit has at least one byte, and in a text of ASCII exactly one.
      if (isAscii) from = Math.max(from, at);
      while (!isOver && place < at) {
        const unit = folded.indexOf(text, from);
        isOver = unit === -1;
        place = isOver ? NOWHERE : offsetOf(unit);
        from = unit + 1;
      }
      return place;
    },
  };
}
