import type { JSX } from 'preact';

import { markTerms } from '../logic/mark-terms.js';

/** A text whose words of the query are marked. */
export function MarkedText({
  text,
  terms,
}: {
  readonly text: string;
  readonly terms: readonly string[];
}): JSX.Element {
  return (
    <code>
      {markTerms(text, terms).map(({ text: piece, isMatch }, index) =>
        isMatch ? <mark key={index}>{piece}</mark> : piece,
      )}
    </code>
  );
}
