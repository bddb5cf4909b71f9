import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { call } from './api.js';
import { type Loaded, useLoad } from './hooks.js';

/** Buttons to the pages of a list. */
export function Pager({
  skip,
  size,
  total,
  onSkip,
}: {
  readonly skip: number;
  readonly size: number;
  readonly total: number;
  readonly onSkip: (skip: number) => void;
}): JSX.Element | null {
  if (total <= size) return null;
  return (
    <nav class="row" aria-label="Pages of the list">
      <button
        type="button"
        aria-disabled={skip === 0}
        onClick={() => onSkip(Math.max(0, skip - size))}
      >
        Previous
      </button>
      <span>
        {skip + 1}–{Math.min(total, skip + size)} of {total}
      </span>
      <button
        type="button"
        aria-disabled={skip + size >= total}
        onClick={() => onSkip(skip + size)}
      >
        Next
      </button>
    </nav>
  );
}

/** A list of which a page is loaded at a time, with the buttons to its pages. */
export interface Pages<List> extends Loaded<List> {
  readonly pager: JSX.Element;
}

/**
 * Loads a list page by page. If the last page has lost its entries, the one before is shown.
 *
 * @param path route of the list, which takes `skip` and `limit`
 */
export function usePages<List extends { readonly total: number }>(
  path: string,
  size: number,
): Pages<List> {
  const [skip, setSkip] = useState(0);
  const query = `${path}?skip=${skip}&limit=${size}`;
  const loaded = useLoad(query, (signal) => call<List>('GET', query, { signal }));
  const total = loaded.data?.total ?? 0;
  const last = Math.max(0, Math.ceil(total / size) - 1) * size;
  useEffect(() => {
    if (loaded.data && skip > last) setSkip(last);
  }, [loaded.data, last]);
  return { ...loaded, pager: <Pager {...{ skip, size, total }} onSkip={setSkip} /> };
}
