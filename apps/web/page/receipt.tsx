import type { JSX } from 'preact';

import type { ReceiptView, RoverReceiptView } from '#contracts/http/index';

import { shortVersion } from '../logic/citation-text.js';
import { counted } from '../logic/counted.js';
import { policySettings } from '../logic/policy-settings.js';
import type { Route } from '../logic/route.js';
import { call } from './api.js';
import { fieldTexts } from './form-fields.js';
import { goTo, useLoad } from './hooks.js';
import { Badge, ErrorBox, Fact, Field, Loading, PageTitle, When, WideTable } from './parts.js';
import { ReplayButton } from './replay-button.js';

/** A receipt: the evidence of an answer, and its replay. */
export function ReceiptPage({ route }: { readonly route: Route }): JSX.Element {
  const id = route.path[1];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { id: typed = '' } = fieldTexts(event.currentTarget as HTMLFormElement);
    goTo(['receipts', typed]);
  };
  return (
    <>
      <PageTitle>Receipt</PageTitle>
      <form class="row" aria-label="Open a receipt" onSubmit={submit} key={id}>
        <Field label="Receipt ID">
          <input name="id" size={40} required maxLength={100} defaultValue={id ?? ''} />
        </Field>
        <button>Open</button>
      </form>
      {id === undefined ? (
        <p class="box">Every answer names its receipt. Enter its ID to see the evidence.</p>
      ) : (
        <Receipt key={id} id={id} />
      )}
    </>
  );
}

function Receipt({ id }: { readonly id: string }): JSX.Element {
  const { data, error, reload } = useLoad(`receipt ${id}`, (signal) =>
    call<ReceiptView | RoverReceiptView>('GET', `receipts/${encodeURIComponent(id)}`, { signal }),
  );
  if (error) return <ErrorBox error={error} onRetry={reload} />;
  if (!data) return <Loading label="Loading the receipt…" />;
  if (data.kind === 'rover') return <ResearchReceipt receipt={data} />;
  return (
    <>
      <dl class="facts">
        <Fact name="Kind">{data.kind}</Fact>
        <Fact name="Query">{data.query_erased ? 'erased' : (data.question ?? data.query)}</Fact>
        <Fact name="Time">
          <When time={data.created_at} />
        </Fact>
        <Fact name="Outcome">
          <Badge tone={data.outcome === 'results' ? 'good' : 'warn'}>{data.outcome}</Badge>
        </Fact>
        <Fact name="Ranking version">{data.ranking_version ?? 'unknown'}</Fact>
        <Fact name="Retrieval version">{data.retrieval_version ?? 'unknown'}</Fact>
        <Fact name="Policy revision">{data.policy_revision ?? 'defaults'}</Fact>
      </dl>
      {data.incomplete && (
        <p class="box warn">A part of the content could not be searched at that time.</p>
      )}
      <ReplayButton receiptId={data.id} />
      <h2>Policy of that time</h2>
      <Settings policy={data.policy} />
      <h2>Content of that time</h2>
      <WideTable of="content">
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">Version</th>
            <th scope="col">Synced</th>
            <th scope="col">Kept</th>
          </tr>
        </thead>
        <tbody>
          {data.live_generations.map((each) => (
            <tr key={`${each.source_id} ${each.generation}`}>
              <th scope="row">{each.source_name}</th>
              <td>
                <code>{shortVersion(each.version_ref)}</code>
              </td>
              <td>
                <When time={each.synced_at} />
              </td>
              <td>{each.kept ? 'yes' : 'no; a replay cannot read it'}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      {data.results.length > 0 && <Scores receipt={data} />}
    </>
  );
}

/** The settings of a policy, by the names of the form that changes them. */
export function Settings({ policy }: { readonly policy: object }): JSX.Element {
  return (
    <dl class="facts">
      {policySettings(policy).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

function Scores({
  receipt: { results, live_generations: generations },
}: {
  readonly receipt: ReceiptView;
}): JSX.Element {
  const names = new Map(generations.map((each) => [each.source_id, each.source_name]));
  return (
    <>
      <h2>Results</h2>
      <WideTable of="results">
        <thead>
          <tr>
            <th scope="col">Passage</th>
            <th scope="col" class="number">
              By words
            </th>
            <th scope="col" class="number">
              By meaning
            </th>
            <th scope="col" class="number">
              Priority
            </th>
            <th scope="col" class="number">
              Score
            </th>
          </tr>
        </thead>
        <tbody>
          {results.map((each, index) => (
            <tr key={each.chunk_id}>
              <th scope="row">
                {index + 1}. {names.get(each.source_id)}
                <br />
                <code class="meta">{each.chunk_id}</code>
              </th>
              <td class="number">{each.keyword_score?.toFixed(3) ?? '–'}</td>
              <td class="number">{each.vector_score?.toFixed(3) ?? '–'}</td>
              <td class="number">{each.priority}</td>
              <td class="number">{each.score.toFixed(3)}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </>
  );
}

function ResearchReceipt({ receipt }: { readonly receipt: RoverReceiptView }): JSX.Element {
  return (
    <>
      <dl class="facts">
        <Fact name="Kind">research</Fact>
        <Fact name="Question">{receipt.erased ? 'erased' : receipt.question}</Fact>
        <Fact name="Time">
          <When time={receipt.created_at} />
        </Fact>
        <Fact name="Planner">{receipt.planner}</Fact>
      </dl>
      <h2>Repositories</h2>
      <ul>
        {receipt.read.map(({ repo, commit, reason }) => (
          <li key={repo}>
            {repo} {commit !== null && <code>{shortVersion(commit)}</code>} {reason}
          </li>
        ))}
      </ul>
      <h2>Searches</h2>
      <ol>
        {receipt.searches.map(({ query, results }, index) => (
          <li key={index}>
            {query} <span class="meta">{results} results</span>
          </li>
        ))}
      </ol>
      <p class="meta">{counted(receipt.citations.length, 'citation')}, each with its SHA-256.</p>
      <h2>Policy of that time</h2>
      <Settings policy={receipt.policy} />
    </>
  );
}
