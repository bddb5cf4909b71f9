import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { NoEvidenceView, SearchResponseView } from '#contracts/http/index';

import { counted } from '../logic/counted.js';
import type { Route } from '../logic/route.js';
import { filtersOf } from '../logic/search-filters.js';
import { useAnnouncement } from './announcer.js';
import { callWithReceipt, type Receipted } from './api.js';
import { FileResults, type SearchResultView } from './file-results.js';
import { useLoad } from './hooks.js';
import { ErrorBox, Loading } from './parts.js';
import { ReplayButton } from './replay-button.js';

/** Files that fill the visible part of the page. */
const FIRST_FILES = 4;

type Found = Receipted<SearchResponseView | NoEvidenceView>;

/** The answer of a search by meaning and words: results by file, or why there are none. */
export function WordResults({ route }: { readonly route: Route }): JSX.Element {
  const body = { query: route.params['q'], explain: true, top_k: 20, max_tokens: 16_000 };
  const search = { ...body, ...filtersOf(route) };
  const { data, error, isLoading, reload } = useLoad(JSON.stringify(search), (signal) =>
    callWithReceipt<Found['answer']>('POST', 'search', { body: search, signal }),
  );
  useAnnouncement(isLoading ? 'Searching' : data ? spoken(data.answer) : null);
  // Shown results belong to the search before while the next one runs; the page waits for nothing
  // that renders them again.
  const settled = useRef(route);
  if (!isLoading) settled.current = route;
  const shown = useMemo(
    () => data && <Shown found={data} route={settled.current} />,
    [data, settled.current],
  );
  if (error) return <ErrorBox error={error} onRetry={reload} />;
  if (!shown) return <Loading label="Searching…" />;
  return (
    <div aria-busy={isLoading} class={isLoading ? 'busy' : undefined}>
      {shown}
    </div>
  );
}

function Shown({
  found: { answer, receiptId },
  route,
}: {
  readonly found: Found;
  readonly route: Route;
}): JSX.Element {
  return 'results' in answer ? (
    <Results answer={answer} receiptId={receiptId} route={route} />
  ) : (
    <NoEvidence answer={answer} receiptId={receiptId} />
  );
}

function spoken(answer: Found['answer']): string {
  if (!('results' in answer)) return 'No sufficient evidence';
  const { confidence } = answer.evidence_quality;
  return `${counted(answer.total_results, 'result')}, confidence ${confidence}`;
}

function NoEvidence({
  answer,
  receiptId,
}: {
  readonly answer: NoEvidenceView;
  readonly receiptId: string | null;
}): JSX.Element {
  return (
    <div class="box warn">
      <p>
        <strong>No sufficient evidence.</strong> {answer.message}
      </p>
      {answer.suggestions.length > 0 && (
        <ul>
          {answer.suggestions.map((suggestion) => (
            <li key={suggestion}>{suggestion}</li>
          ))}
        </ul>
      )}
      <p class="meta">
        {counted(answer.sources_searched, 'source')} searched. <a href="#/policy">The policy</a>{' '}
        decides how much evidence is needed.
      </p>
      {receiptId !== null && <ReplayButton receiptId={receiptId} />}
    </div>
  );
}

function Results({
  answer,
  receiptId,
  route,
}: {
  readonly answer: SearchResponseView;
  readonly receiptId: string | null;
  readonly route: Route;
}): JSX.Element {
  const quality = answer.evidence_quality;
  const isWeak = quality.confidence === 'low' || quality.confidence === 'insufficient';
  const files = new Map<string, SearchResultView[]>();
  for (const result of answer.results) {
    const { source_id, path } = result.citation;
    const key = `${source_id}\n${path.replace(/#.*$/, '')}`;
    files.set(key, [...(files.get(key) ?? []), result]);
  }
  return (
    <>
      <p class="summary">
        {counted(answer.total_results, 'result')} in {counted(files.size, 'file')} of{' '}
        {counted(answer.sources_with_results, 'source')}
        <span class="meta">
          {' '}
          · confidence {quality.confidence} · {answer.search_time_ms.toFixed(0)} ms
        </span>
      </p>
      {isWeak && (
        <div class="box warn">
          <strong>Low confidence.</strong> The passages below match only a part of the question.
          Check them before you rely on them.
        </div>
      )}
      {answer.warnings.map((warning) => (
        <div class="box warn" key={warning}>
          {warning}
        </div>
      ))}
      {answer.conflicts.map((conflict) => (
        <div class="box warn" key={conflict.endpoint_key}>
          <strong>Conflict:</strong> {conflict.description}
        </div>
      ))}
      <Files key={receiptId} files={[...files.values()]} route={route} receiptId={receiptId} />
    </>
  );
}

/** The results by file. The first files appear a frame before the others, which fill the page. */
function Files({
  files,
  route,
  receiptId,
}: {
  readonly files: readonly (readonly SearchResultView[])[];
  readonly route: Route;
  readonly receiptId: string | null;
}): JSX.Element {
  const [shown, setShown] = useState(FIRST_FILES);
  // The second frame comes after the first one is painted; an effect may come before it.
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setShown(Infinity));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <>
      <ol class="files">
        {files.slice(0, shown).map((results, index) => (
          <FileResults key={index} results={results} route={route} />
        ))}
      </ol>
      {shown >= files.length && receiptId !== null && <ReplayButton receiptId={receiptId} />}
    </>
  );
}
