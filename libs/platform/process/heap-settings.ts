import { setFlagsFromString } from 'node:v8';

/**
 * Changes how V8 manages the heaps of all threads. Call it before work begins: V8 keeps the
 * decisions that it made earlier.
 *
 * By default V8 allocates objects in the old generation if those of the same place in the code
 * survived a collection. One collection during the ranking of a search is enough for it: all its
 * candidates are in use then. From then on the objects of each search wait for a collection of the
 * whole heap, and keep newer objects until then.
 */
export function useHeapSettings(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
