import { MessagePort } from 'node:worker_threads';

/** A buffer or port that moves to another thread instead of being copied. */
export type Transferable = ArrayBuffer | MessagePort;

/**
 * Below this size, copying is cheaper than moving. Buffers of Node's small-buffer pool, which
 * cannot be moved, are smaller too.
 */
const MOVED_FROM_BYTES = 128 * 1024;

/**
 * Returns the ports in a message, and the buffers that are worth moving to the other thread; the
 * sender loses them. Memory that threads share is left out. Searches two levels deep.
 */
export function transferablesOf(message: unknown): Transferable[] {
  const found = new Set<Transferable>();
  collect(message, found, 3);
  return [...found];
}

function collect(value: unknown, found: Set<Transferable>, depth: number): void {
  if (value instanceof MessagePort) {
    found.add(value);
    return;
  }
  if (value instanceof Uint8Array) {
    if (value.buffer instanceof ArrayBuffer && value.buffer.byteLength >= MOVED_FROM_BYTES)
      found.add(value.buffer);
    return;
  }
  if (depth === 0 || typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) collect(part, found, depth - 1);
}
