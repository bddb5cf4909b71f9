import type { JSX } from 'preact';

import type { SourceList } from '#contracts/http/index';

import { termsOf } from '../logic/mark-terms.js';
import type { Route } from '../logic/route.js';
import { call } from './api.js';
import { CodeResults } from './code-results.js';
import { useLoad } from './hooks.js';
import { ErrorBox, PageTitle } from './parts.js';
import { ReadingPane } from './reading-pane.js';
import { SearchForm } from './search-form.js';
import { WordResults } from './word-results.js';

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
      {sources.error && <ErrorBox error={sources.error} onRetry={sources.reload} />}
      {sources.data?.total === 0 && (
        <div class="box">
          <p>
            Nothing is indexed yet. <a href="#/sources">Add a source</a> and sync it; then ask here.
          </p>
        </div>
      )}
      {q === '' && (sources.data?.total ?? 0) > 0 && (
        <p class="meta">
          Ask a question, or name an identifier. Press <kbd>?</kbd> for the keys.
        </p>
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
