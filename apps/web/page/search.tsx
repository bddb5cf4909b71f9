import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { NoEvidenceView, SearchResponseView, SourceList } from '#contracts/http/index';

import { citationMarkdown, citationText, placeText, shortVersion } from '../logic/citation-text.js';
import { termsOf } from '../logic/mark-terms.js';
import { type Route, routeFragment } from '../logic/route.js';
import { call, request } from './api.js';
import { CodeResults } from './code-results.js';
import { fieldTexts } from './form-fields.js';
import { goTo, useLoad } from './hooks.js';
import { MarkedText } from './marked-text.js';
import { Badge, CopyButton, ErrorBox, Loading, PageTitle } from './parts.js';
import { ReadingPane } from './reading-pane.js';
import { ReplayButton } from './replay-button.js';

type SearchResultView = SearchResponseView['results'][number];

const MODES = [
  ['words', 'By meaning and words'],
  ['code', 'Exact text in code'],
  ['regex', 'Regular expression'],
] as const;

interface Found {
  readonly answer: SearchResponseView | NoEvidenceView;
  readonly receiptId: string | null;
}

/** Search: the query and its filters are in the address, so that a link repeats the search. */
export function SearchPage({ route }: { readonly route: Route }): JSX.Element {
  const { q = '', mode = 'words' } = route.params;
  const isOpen = route.params['open'] !== undefined;
  const sources = useLoad('sources', (signal) =>
    call<SourceList>('GET', 'sources?limit=100', { signal }),
  );
  return (
    <>
      <PageTitle>Search</PageTitle>
      <SearchForm route={route} sources={sources.data} />
      {sources.data?.total === 0 && (
        <div class="box">
          <p>
            Nothing is indexed yet. <a href="#/sources">Add a source</a> and sync it; then ask here.
          </p>
        </div>
      )}
      <div class={isOpen ? 'split' : undefined}>
        <section aria-label="Results">
          {q !== '' &&
            (mode !== 'words' ? <CodeResults route={route} /> : <WordResults route={route} />)}
        </section>
        {isOpen && <ReadingPane route={route} terms={termsOf(q)} />}
      </div>
    </>
  );
}

function SearchForm({
  route,
  sources,
}: {
  readonly route: Route;
  readonly sources: SourceList | undefined;
}): JSX.Element {
  const { params } = route;
  const filters = ['source', 'path', 'language', 'fresh'].filter((name) => params[name]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    goTo(['search'], fieldTexts(event.currentTarget as HTMLFormElement));
  };
  return (
    <form class="search" role="search" onSubmit={submit} key={JSON.stringify([params['q']])}>
      <div class="row grow">
        <input
          type="search"
          name="q"
          aria-label="Query"
          placeholder="A question, words or an identifier"
          defaultValue={params['q'] ?? ''}
          maxLength={2000}
          required
        />
        <select name="mode" aria-label="Kind of search">
          {MODES.map(([mode, title]) => (
            <option key={mode} value={mode} selected={mode === (params['mode'] ?? 'words')}>
              {title}
            </option>
          ))}
        </select>
        <button class="primary">Search</button>
      </div>
      <details open={filters.length > 0}>
        <summary>Filters{filters.length > 0 && ` (${filters.length})`}</summary>
        <div class="row">
          <label class="field">
            <span>Source</span>
            <select name="source">
              <option value="">All</option>
              {sources?.sources.map(({ id, name }) => (
                <option key={id} value={id} selected={id === params['source']}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>Path (glob)</span>
            <input name="path" placeholder="src/**" defaultValue={params['path'] ?? ''} />
          </label>
          <label class="field">
            <span>Language</span>
            <input name="language" placeholder="python" defaultValue={params['language'] ?? ''} />
          </label>
          <label class="check">
            <input
              type="checkbox"
              name="fresh"
              value="1"
              defaultChecked={params['fresh'] === '1'}
            />
            Without stale results
          </label>
        </div>
      </details>
    </form>
  );
}

/** Returns the fields of a search that the filters in the address stand for. */
export function filtersOf({ params }: Route) {
  return {
    ...(params['source'] && { source_ids: [params['source']] }),
    ...(params['path'] && { path_patterns: [params['path']] }),
    ...(params['language'] && { languages: [params['language']] }),
    ...(params['fresh'] === '1' && { include_stale: false }),
  };
}

function WordResults({ route }: { readonly route: Route }): JSX.Element {
  const body = { query: route.params['q'], explain: true, top_k: 20, max_tokens: 16_000 };
  const search = { ...body, ...filtersOf(route) };
  const { data, error, isLoading, reload } = useLoad(JSON.stringify(search), async (signal) => {
    const response = await request('POST', 'search', { body: search, signal });
    const answer = (await response.json()) as Found['answer'];
    return { answer, receiptId: response.headers.get('x-receipt-id') };
  });
  if (error) return <ErrorBox error={error} onRetry={reload} />;
  if (!data) return <Loading label="Searching…" />;
  return (
    <div aria-busy={isLoading} class={isLoading ? 'busy' : undefined}>
      {'results' in data.answer ? (
        <Results answer={data.answer} receiptId={data.receiptId} route={route} />
      ) : (
        <NoEvidence answer={data.answer} receiptId={data.receiptId} />
      )}
    </div>
  );
}

function NoEvidence({
  answer,
  receiptId,
}: {
  readonly answer: NoEvidenceView;
  readonly receiptId: string | null;
}): JSX.Element {
  return (
    <div class="box warn" role="status">
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
        {answer.sources_searched} sources searched. <a href="#/policy">The policy</a> decides how
        much evidence is needed.
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
      <p role="status" class="summary">
        {answer.total_results} results in {files.size} files of {answer.sources_with_results}{' '}
        sources
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
      <ol class="files">
        {[...files].map(([key, results]) => (
          <FileResults key={key} results={results} route={route} />
        ))}
      </ol>
      {receiptId !== null && <ReplayButton receiptId={receiptId} />}
    </>
  );
}

function FileResults({
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
  const { citation, explanation } = result;
  const [isLong, setLong] = useState(false);
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
      <pre tabIndex={0} aria-label={`Passage of ${placeText(citation)}`}>
        <MarkedText text={shown.join('\n')} terms={termsOf(route.params['q'] ?? '')} />
      </pre>
      {lines.length > shown.length && (
        <button type="button" class="small" onClick={() => setLong(true)}>
          Show {lines.length - shown.length} more lines
        </button>
      )}
      <div class="row tools">
        <details>
          <summary>Why this result ({result.score.toFixed(2)})</summary>
          {explanation && (
            <table>
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

/** Returns the parameters of the address that open a citation in the reading pane. */
export function paneParams(citation: {
  readonly source_id: string;
  readonly path: string;
  readonly version_ref: string;
  readonly chunk_id?: string;
  readonly start_line?: number;
  readonly end_line?: number;
}): Record<string, string | number | undefined> {
  return {
    open: citation.source_id,
    file: citation.path,
    version: citation.version_ref,
    from: citation.start_line,
    to: citation.end_line,
    chunk: citation.chunk_id,
  };
}
