import { v5, v7, validate } from 'uuid';

/** Root of every name-derived id of the product. Changing it changes every derived id. */
const NAMESPACE = '6f6f746e-6f74-5e00-8000-666e742d6964';

/** A new random id that sorts by time. */
export function uuidv7(): string {
  return v7();
}

/**
 * The id that these parts always give. Parts are length-prefixed, so `['a', 'bc']` and
 * `['ab', 'c']` differ.
 */
export function uuidv5(...parts: readonly string[]): string {
  return v5(parts.map((part) => `${part.length}:${part}`).join('|'), NAMESPACE);
}

/** True for a lower-case UUID of any version. */
export function isUuid(text: string): boolean {
  return validate(text) && text === text.toLowerCase();
}

/**
 * The id of a command's or work item's event number `index`: what makes a repeated append
 * recognisable.
 */
export function eventId(commandId: string, index: number): string {
  return uuidv5('event', commandId, String(index));
}

/**
 * The first tenant has the same id in every store, so that two processes on an empty one make one
 * tenant.
 */
export const FIRST_TENANT_ID = '00000000-0000-5000-8000-000000000001';
