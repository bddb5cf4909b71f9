import { expect, it } from '@jest/globals';

import { Seeded } from '../seeded.js';
import { principalAxes, project } from './principal-axes.js';

const WIDTH = 24;

it('finds the directions of greatest variance, orthonormal, the same each time', () => {
  const random = new Seeded(3);
  // Wide along the dimensions 20, 4 and 11, narrow along all others.
  const rows = Float32Array.from({ length: 400 * WIDTH }, (_, at) => {
    const spread =
      new Map([
        [20, 5],
        [4, 3],
        [11, 2],
      ]).get(at % WIDTH) ?? 0.1;
    return spread * (random.next() - 0.5);
  });
  const axes = principalAxes(rows, WIDTH, 3);
  const products = project(axes, axes, WIDTH);
  products.forEach((value, at) => expect(value).toBeCloseTo(at % 4 === 0 ? 1 : 0, 4));
  for (const dimension of [20, 4, 11]) {
    const kept = [0, 1, 2].reduce(
      (sum, axis) => sum + (axes[axis * WIDTH + dimension] as number) ** 2,
      0,
    );
    expect(kept).toBeGreaterThan(0.99);
  }
  expect(principalAxes(rows, WIDTH, 3)).toEqual(axes);
});
