import type { JSX } from 'preact';

import type { NoEvidenceView, PackageSearchResponseView } from '#contracts/http/index';

import { placeText } from '../logic/citation-text.js';
import { counted } from '../logic/counted.js';
import { termsOf } from '../logic/mark-terms.js';
import { packageKey } from '../logic/package-key.js';
import type { Route } from '../logic/route.js';
import { callWithReceipt } from './api.js';
import { EcosystemField } from './ecosystem-field.js';
import { fieldTexts } from './form-fields.js';
import { goTo, useLoad } from './hooks.js';
import { MarkedText } from './marked-text.js';
import { ErrorBox, Field, Loading } from './parts.js';
import { ReplayButton } from './replay-button.js';

/** A search in one release; the service fetches and indexes it first if nobody did before. */
export function PackageSearch({
  route,
  onAnswered,
}: {
  readonly route: Route;
  /** Called after an answer: the catalogue may have a further release then. */
  readonly onAnswered: () => void;
}): JSX.Element {
  const { q = '', name = '', ecosystem, version = '' } = route.params;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    goTo(['packages'], fieldTexts(event.currentTarget as HTMLFormElement));
  };
  return (
    <section aria-label="Search in a package">
      <form role="search" key={`${ecosystem} ${name} ${version} ${q}`} onSubmit={submit}>
        <div class="row">
          <EcosystemField value={ecosystem} />
          <Field label="Package">
            <input name="name" required maxLength={300} defaultValue={name} placeholder="react" />
          </Field>
          <Field label="Version" hint="Empty: the latest">
            <input name="version" maxLength={128} defaultValue={version} />
          </Field>
        </div>
        <div class="row grow">
          <input
            type="search"
            name="q"
            aria-label="Query"
            placeholder="How is an effect cleaned up?"
            defaultValue={q}
            maxLength={500}
            required
          />
          <button class="primary">Search the package</button>
        </div>
      </form>
      {q !== '' && name !== '' && <Results route={route} onAnswered={onAnswered} />}
    </section>
  );
}

function Results({
  route,
  onAnswered,
}: {
  readonly route: Route;
  readonly onAnswered: () => void;
}): JSX.Element {
  const { q = '', name, ecosystem, version } = route.params;
  const body = { query: q, package_name: name, ecosystem, ...(version && { version }), top_k: 10 };
  const { data, error, reload } = useLoad(JSON.stringify(body), async (signal) => {
    type Answer = PackageSearchResponseView | NoEvidenceView;
    const found = await callWithReceipt<Answer>('POST', 'packages/search', { body, signal });
    onAnswered();
    return found;
  });
  if (error) return <ErrorBox error={error} onRetry={reload} />;
  if (!data) return <Loading label="Searching; a new release is fetched and indexed first…" />;
  const { answer, receiptId } = data;
  return (
    <div class="box">
      {'results' in answer ? (
        <>
          <p role="status">
            {counted(answer.total_results, 'result')} in {packageKey(answer.package)}
            {!answer.cached && '; it was fetched and indexed for this search'}
          </p>
          {answer.warnings?.map((warning) => (
            <p class="box warn" key={warning}>
              {warning}
            </p>
          ))}
          {answer.results.map(({ citation, content }) => (
            <article class="result" key={citation.chunk_id}>
              <h2>{citation.symbol ?? placeText(citation)}</h2>
              {citation.symbol !== undefined && <p class="meta">{placeText(citation)}</p>}
              <pre tabIndex={0} aria-label={`Passage of ${placeText(citation)}`}>
                <MarkedText text={content} terms={termsOf(q)} />
              </pre>
            </article>
          ))}
        </>
      ) : (
        <p role="status">
          <strong>No sufficient evidence.</strong> {answer.message}
        </p>
      )}
      {receiptId !== null && <ReplayButton receiptId={receiptId} />}
    </div>
  );
}
