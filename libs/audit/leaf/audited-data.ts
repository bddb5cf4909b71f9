import { type JsonObject, WITHHELD_FIELDS } from '#contracts';

import { jsonSha256 } from '../canonical-json.js';

/**
 * Fields that leave no digest either: the body of a request can be short, so that its digest could
 * be guessed.
 */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = { IdempotencyKeyUsed: ['body_hash'] };

/**
 * Returns the data of a stored event as audit records hold it and leaves hash it. A field that the
 * feed withholds becomes `sha256:` and the digest of its canonical JSON; null stays null. So a
 * swapped key digest is noticed. Everything else is as stored, ciphertext included.
 */
export function auditedData(type: string, data: JsonObject): JsonObject {
  const withheld = Object.hasOwn(WITHHELD_FIELDS, type) ? WITHHELD_FIELDS[type] : undefined;
  if (!withheld) return data;
  const leftOut = LEFT_OUT[type] ?? [];
  return Object.fromEntries(
    Object.entries(data)
      .filter(([field]) => !leftOut.includes(field))
      .map(([field, value]) => [
        field,
        withheld.includes(field) && value !== null ? `sha256:${jsonSha256(value)}` : value,
      ]),
  );
}
