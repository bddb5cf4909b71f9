import { validationFailed } from '#contracts';
import type { DefinitionsQuery } from '#contracts/http/index';

import type { CodePlace } from './identifier-at.js';

/**
 * Returns the place of a request; undefined if it has a name.
 * @throws FootnoteError `validation_failed` for neither, both, or a part of a place.
 */
export function placeOf({
  name,
  source_id,
  path,
  line,
  column,
}: Pick<DefinitionsQuery, 'name' | keyof CodePlace>): CodePlace | undefined {
  const parts = [source_id, path, line, column];
  const isWhole =
    source_id !== undefined && path !== undefined && line !== undefined && column !== undefined;
  if (name === undefined && isWhole) return { source_id, path, line, column };
  if (name !== undefined && parts.every((part) => part === undefined)) return undefined;
  const message = 'must be given alone, or else source_id, path, line and column together';
  throw validationFailed([{ field: 'name', message }]);
}
