import { v7, validate } from 'uuid';

import { uuidv5 } from './derived-id.js';
import { randomPart } from './random-pool.js';

/** The time and the number within it of the last random id. */
let lastTime = -Infinity;
let sequence = 0;

/** Returns a new random id that sorts by time, after all before it in this thread. */
export function uuidv7(): string {
  const random = randomPart(16);
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    // 31 bits. Half of the numbers are left for ids of the same time.
    sequence = random.readUInt32BE(6) & 0x7fff_ffff;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) lastTime += 1;
  }
  return v7({ random, msecs: lastTime, seq: sequence });
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
