import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';

import type { SearchResponseView } from '#contracts/http/index';

import { citationMarkdown, citationText, placeText, shortVersion } from '../logic/citation-text.js';
import { termsOf } from '../logic/mark-terms.js';
import { paneParams } from '../logic/pane-params.js';
import { type Route, routeFragment } from '../logic/route.js';
import { MarkedText } from './marked-text.js';
import { Badge, CopyButton } from './parts.js';

/** A result of a search. */
export type SearchResultView = SearchResponseView['results'][number];

/** The results in one file. */
export function FileResults({
  results,
  route,
}: {
  readonly results: readonly SearchResultView[];
  readonly route: Route;
}): JSX.Element | null {
  const [first] = results;
  if (!first) return null;
  const { citation, is_stale: isStale, freshness_days: days } = first;
  return (
    <li class="file">
      <h2>
        <span class="source">{citation.source_name}</span> {citation.path.replace(/#.*$/, '')}
      </h2>
      <p class="meta">
        {shortVersion(citation.version_ref)} · synced{' '}
        {days < 1 ? 'today' : `${Math.floor(days)} days ago`}{' '}
        {isStale && <Badge tone="warn">stale</Badge>}
      </p>
      {results.map((result) => (
        <Result key={result.citation.chunk_id} result={result} route={route} />
      ))}
    </li>
  );
}

function Result({
  result,
  route,
}: {
  readonly result: SearchResultView;
  readonly route: Route;
}): JSX.Element {
  const { citation } = result;
  const [isLong, setLong] = useState(false);
  const passage = useRef<HTMLPreElement>(null);
  const lines = result.content.split('\n');
  const shown = isLong ? lines : lines.slice(0, 12);
  const place = paneParams(citation);
  const link = routeFragment(['search'], { ...route.params, ...place });
  const address = new URL(link, location.href).href;
  const isCurrent = route.params['chunk'] === citation.chunk_id;
  return (
    <article class={isCurrent ? 'result current' : 'result'}>
      <h3>
        <a href={link} data-result aria-current={isCurrent ? 'true' : undefined}>
          {citation.symbol ?? placeText(citation)}
        </a>{' '}
        {citation.start_line !== undefined && (
          <span class="meta">
            lines {citation.start_line}–{citation.end_line}
          </span>
        )}
      </h3>
      <pre tabIndex={0} ref={passage} aria-label={`Passage of ${placeText(citation)}`}>
        <MarkedText text={shown.join('\n')} terms={termsOf(route.params['q'] ?? '')} />
      </pre>
      {lines.length > shown.length && (
        <button
          type="button"
          class="small"
          onClick={() => {
            passage.current?.focus();
            setLong(true);
          }}
        >
          Show {lines.length - shown.length} more lines
        </button>
      )}
      <div class="row tools">
        <Reasons result={result} />
        <CopyButton text={address} label="Copy link" />
        <CopyButton text={citationText(citation)} label="Copy citation" />
        <CopyButton
          text={citationMarkdown(citation, citation.url ?? address)}
          label="Copy Markdown"
        />
      </div>
    </article>
  );
}

/** The parts of a score. They enter the page when they are opened: a list has hundreds of them. */
function Reasons({ result }: { readonly result: SearchResultView }): JSX.Element {
  const { explanation, score } = result;
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Why this result ({score.toFixed(2)})</summary>
      {isOpen && explanation && (
        <table class="scores">
          <caption>Parts of the score; they add up to {explanation.score.toFixed(3)}</caption>
          <tbody>
            {explanation.contributions.map(({ name, value }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">
                  {value < 0 ? '−' : '+'}
                  {Math.abs(value).toFixed(3)}
                </td>
                <td>
                  <meter min={0} max={1} value={Math.abs(value)} aria-hidden="true" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
