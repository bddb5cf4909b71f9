import { v7, validate } from 'uuid';

import { uuidv5 } from './derived-id.js';

/** Returns a new random id that sorts by time. */
export function uuidv7(): string {
  return v7();
}

/** Returns true for a lower-case UUID of any version. */
export function isUuid(text: string): boolean {
  return validate(text) && text === text.toLowerCase();
}

/**
 * Returns the id of event number `index` of a command or work item, which makes a repeated append
 * recognizable.
 */
export function eventId(commandId: string, index: number): string {
  return uuidv5('event', commandId, String(index));
}

/**
 * The first tenant has the same id in every store, so that two processes on an empty one create one
 * tenant.
 */
export const FIRST_TENANT_ID = '00000000-0000-5000-8000-000000000001';
