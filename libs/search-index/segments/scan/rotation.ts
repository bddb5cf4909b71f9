/** Number of dimensions that a transform mixes. */
export const TRANSFORM = 128;
const SEED = 0x5160_7a7e;

/**
 * A fixed rotation of vectors, in integers: a permutation of the dimensions and a sign for each,
 * then a Hadamard transform of every {@link TRANSFORM} dimensions. It spreads what a vector has in
 * few dimensions over all of them, so that the signs of the result differ between vectors. It
 * depends on the number of dimensions alone.
 */
export interface Rotation {
  /** Dimension that each place of the permuted vector takes its value from. */
  readonly order: Uint16Array;
  /** 1 or -1 for each place. */
  readonly signs: Int16Array;
}

const known = new Map<number, Rotation>();

/**
 * Returns the rotation of vectors with some dimensions.
 * @param dimensions a multiple of {@link TRANSFORM}.
 */
export function rotationOf(dimensions: number): Rotation {
  let rotation = known.get(dimensions);
  if (!rotation) known.set(dimensions, (rotation = createRotation(dimensions)));
  return rotation;
}

function createRotation(dimensions: number): Rotation {
  if (dimensions === 0 || dimensions % TRANSFORM !== 0)
    throw new RangeError(`dimensions must be a multiple of ${TRANSFORM} (got ${dimensions})`);
  let state = SEED;
  const below = (end: number): number => (state = nextState(state)) % end;
  const order = Uint16Array.from({ length: dimensions }, (_, dimension) => dimension);
  for (let place = dimensions - 1; place > 0; place -= 1) {
    const other = below(place + 1);
    const value = order[place] as number;
    order[place] = order[other] as number;
    order[other] = value;
  }
  return { order, signs: Int16Array.from(order, () => (below(1 << 16) < 1 << 15 ? 1 : -1)) };
}

/** Returns the next number of a xorshift generator, from 1 to 2³² − 1. */
function nextState(state: number): number {
  let next = state;
  next ^= next << 13;
  next ^= next >>> 17;
  next ^= next << 5;
  return next >>> 0;
}

/** Returns a rotated vector, at most 16,384 in a dimension; products grow by {@link TRANSFORM}. */
export function rotate(vector: Int8Array): Int32Array {
  const { order, signs } = rotationOf(vector.length);
  const rotated = new Int32Array(order.length);
  for (let place = 0; place < rotated.length; place += 1)
    rotated[place] = (vector[order[place] as number] as number) * (signs[place] as number);
  for (let half = TRANSFORM / 2; half >= 1; half /= 2) {
    for (let place = 0; place < rotated.length; place += 1) {
      if ((place & half) !== 0) continue;
      const a = rotated[place] as number;
      const b = rotated[place + half] as number;
      rotated[place] = a + b;
      rotated[place + half] = a - b;
    }
  }
  return rotated;
}
