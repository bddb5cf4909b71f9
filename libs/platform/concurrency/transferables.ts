/** A buffer that moves to another thread instead of being copied. */
export type Transferable = ArrayBuffer;

/**
 * Below this size, copying is cheaper than moving. Buffers of Node's small-buffer pool, which
 * cannot be moved, are smaller too.
 */
const MOVED_FROM_BYTES = 128 * 1024;

/**
 * Returns the buffers in a message that are worth moving to the other thread; the sender loses
 * them. Searches two levels deep.
 */
export function transferablesOf(message: unknown): Transferable[] {
  const found = new Set<ArrayBuffer>();
  collect(message, found, 3);
  return [...found];
}

function collect(value: unknown, found: Set<ArrayBuffer>, depth: number): void {
  if (value instanceof Uint8Array) {
    if (value.buffer instanceof ArrayBuffer && value.buffer.byteLength >= MOVED_FROM_BYTES)
      found.add(value.buffer);
    return;
  }
  if (depth === 0 || typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) collect(part, found, depth - 1);
}
