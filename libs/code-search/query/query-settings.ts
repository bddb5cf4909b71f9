import { QueryError } from './query-error.js';

const VALUES = {
  case: ['yes', 'no', 'auto'],
  type: ['content', 'file', 'symbol', 'repo'],
} as const;

/** Settings of a whole query. */
export interface QuerySettings {
  /** `auto`: a term with an upper-case letter is matched with regard to case. */
  readonly case: (typeof VALUES)['case'][number];
  /** The field of terms without a filter: lines, paths, names of definitions or of sources. */
  readonly type: (typeof VALUES)['type'][number];
}

/**
 * Reads one setting of a query.
 * @throws QueryError for an unknown or a second value.
 */
export function readSetting(
  settings: { case?: QuerySettings['case']; type?: QuerySettings['type'] },
  name: keyof QuerySettings,
  text: string,
  position: number,
): void {
  const known: readonly string[] = VALUES[name];
  if (!known.includes(text)) {
    const message = `has the unknown value ${text} of ${name}; use ${known.join(', ')}`;
    throw new QueryError(message, position);
  }
  if (settings[name] !== undefined && settings[name] !== text)
    throw new QueryError(`has two values of ${name}; remove one`, position);
  Object.assign(settings, { [name]: text });
}
