import { type FootnoteError, validationFailed } from '#contracts';

/** Returns a cursor of these parts, safe in a URL. */
export function cursorOf(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Returns the parts of a cursor; none for a text that is not a cursor. */
export function cursorParts(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** Returns the error for a cursor of another request, or of generations that are not live. */
export function foreignCursor(): FootnoteError {
  const message =
    'must be the next_cursor of the same request while its sources have not changed; ' +
    'repeat the request without it';
  return validationFailed([{ field: 'cursor', message }]);
}
