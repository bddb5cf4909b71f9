import { validationFailed } from '#contracts';

/** Returns the cursor of a place in the answer to one request at one moment. */
export function encodePlace(fingerprint: string, place: unknown): string {
  return Buffer.from(JSON.stringify([fingerprint, place])).toString('base64url');
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
  const [of, place] = partsOf(cursor);
  if (of === fingerprint && isPlace(place)) return place;
  const message =
    'must be the next_cursor of the same request while its sources have not changed; ' +
    'repeat the request without it';
  throw validationFailed([{ field: 'cursor', message }]);
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
