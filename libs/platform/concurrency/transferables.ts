/** A buffer that moves to another thread instead of being copied. */
export type Transferable = ArrayBuffer;

/**
 * Below this, copying is cheaper than moving; Node's own small-buffer pool lies below it too and
 * cannot be moved.
 */
const MOVED_FROM_BYTES = 128 * 1024;

/**
 * The buffers in a message that are worth moving to the other thread; the sender loses them. Looks
 * two levels deep.
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
