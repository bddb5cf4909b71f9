import { cursorOf, cursorParts, foreignCursor } from '../cursor-parts.js';

/** Returns the cursor of a place in the answer to one request at one moment. */
export function encodePlace(fingerprint: string, place: unknown): string {
  return cursorOf([fingerprint, place]);
}

/**
 * Reads a cursor.
 * @param isPlace checks the form of the place.
 * @throws FootnoteError `validation_failed` for the cursor of another request, or of generations
 * that are not live any more.
 */
export function decodePlace<Place>(
  cursor: string | undefined,
  fingerprint: string,
  isPlace: (place: unknown) => place is Place,
): Place | undefined {
  if (cursor === undefined) return undefined;
  const [of, place] = cursorParts(cursor);
  if (of === fingerprint && isPlace(place)) return place;
  throw foreignCursor();
}
