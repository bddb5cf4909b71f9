import type { ColumnUnits } from './scip-document.js';

/**
 * Returns a column in UTF-16 units; columns count from 0.
 * @returns undefined if no character of the line begins there.
 */
export function utf16Column(line: string, column: number, units: ColumnUnits): number | undefined {
  if (units === 'utf16') return column <= line.length ? column : undefined;
  let at = 0;
  let counted = 0;
  while (counted < column && at < line.length) {
    const point = line.codePointAt(at) as number;
    at += point > 0xffff ? 2 : 1;
    counted += units === 'utf32' ? 1 : utf8Bytes(point);
  }
  return counted === column ? at : undefined;
}

function utf8Bytes(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
