import type { JSX } from 'preact';

import type { SourceList } from '#contracts/http/index';

import { call } from './api.js';
import { useLoad } from './hooks.js';
import { ErrorBox } from './parts.js';

/** Sources that a choice offers. */
const MOST_SOURCES = 1_000;
const PAGE = 100;

/** The choice of one source or all, as the field `source` of a form. */
export function SourceOptions({
  first,
  isOpen,
  chosen,
}: {
  /** The first sources; a longer list is loaded once the choice is visible. */
  readonly first: SourceList | undefined;
  readonly isOpen: boolean;
  readonly chosen: string | undefined;
}): JSX.Element {
  const total = first?.total ?? 0;
  const isLong = isOpen && total > (first?.sources.length ?? 0);
  const rest = useLoad(isLong ? `${total} sources` : null, (signal) => sourcesAfter(first, signal));
  const sources = [...(first?.sources ?? []), ...(rest.data ?? [])];
  return (
    <>
      {rest.error && <ErrorBox error={rest.error} onRetry={rest.reload} />}
      <label class="field">
        <span>Source</span>
        <select name="source">
          <option value="">All</option>
          {sources.map(({ id, name }) => (
            <option key={id} value={id} selected={id === chosen}>
              {name}
            </option>
          ))}
        </select>
        {total > MOST_SOURCES && (
          <small>
            The first {MOST_SOURCES} of {total}
          </small>
        )}
      </label>
    </>
  );
}

/** Loads the sources after the first ones, one page after the other. */
async function sourcesAfter(
  first: SourceList | undefined,
  signal: AbortSignal,
): Promise<SourceList['sources']> {
  const { sources = [], total = 0 } = first ?? {};
  const found: SourceList['sources'] = [];
  for (let skip = sources.length; skip < Math.min(total, MOST_SOURCES); skip += PAGE) {
    const path = `sources?skip=${skip}&limit=${PAGE}`;
    found.push(...(await call<SourceList>('GET', path, { signal })).sources);
  }
  return found;
}
