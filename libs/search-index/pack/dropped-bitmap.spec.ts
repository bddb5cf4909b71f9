import { describe, expect, it } from '@jest/globals';

import {
  countDropped,
  decodeDropped,
  encodeDropped,
  isDropped,
  markDropped,
} from './dropped-bitmap.js';

describe('the dropped bitmap', () => {
  it('has bit i of byte i >> 3 for chunk i, in base64', () => {
    const bitmap = markDropped(undefined, 12, [0, 3, 9]);
    expect(Array.from(bitmap)).toEqual([0b1001, 0b10]);
    expect(encodeDropped(bitmap)).toBe('CQI=');
    expect(decodeDropped('CQI=', 12)).toEqual(bitmap);
    expect([0, 1, 3, 9, 11].map((chunk) => isDropped(bitmap, chunk))).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
    expect(countDropped(bitmap)).toBe(3);
  });

  it('adds to an earlier one without changing it', () => {
    const before = markDropped(undefined, 12, [1]);
    expect(countDropped(markDropped(before, 12, [1, 2]))).toBe(2);
    expect(countDropped(before)).toBe(1);
  });

  it('absent drops nothing', () => {
    expect(decodeDropped(undefined, 12)).toBeUndefined();
    expect(isDropped(undefined, 3)).toBe(false);
    expect(countDropped(undefined)).toBe(0);
  });

  it('rejects chunks and sizes that do not fit', () => {
    expect(() => markDropped(undefined, 12, [12])).toThrow(RangeError);
    expect(() => decodeDropped('CQI=', 17)).toThrow(RangeError);
  });
});
