import type { JSX } from 'preact';

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
