import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';

import type { PolicySimulationView, PolicyView, UpdatePolicyBody } from '#contracts/http/index';

import { policySetting } from '../logic/policy-settings.js';
import { type ApiError, call, request } from './api.js';
import { AuditReaders } from './audit-readers.js';
import { Changes } from './changes.js';
import { asApiError, useLoad } from './hooks.js';
import { ErrorBox, Fact, Field, Loading, PageTitle, WideTable } from './parts.js';
import { PolicyHistory } from './policy-history.js';
import { useMe } from './session.js';

interface Loaded {
  readonly policy: PolicyView;
  readonly etag: string;
  /** A new number is a new form, with the fields of this policy. */
  readonly form: number;
}

/** The trust policy: its settings, the effect of a change on recent searches, its history. */
export function PolicyPage(): JSX.Element {
  const form = useRef(0);
  const { data, error, reload } = useLoad<Loaded>('policy', async (signal) => {
    const response = await request('GET', 'policy', { signal });
    const policy = (await response.json()) as PolicyView;
    return { policy, etag: response.headers.get('etag') ?? '', form: form.current };
  });
  const replaced = () => {
    form.current += 1;
    reload();
  };
  return (
    <>
      <PageTitle>Policy</PageTitle>
      <p>
        The policy decides how old and how weak evidence may be, and which sources count most. It
        applies to every search of the tenant.
      </p>
      {error && <ErrorBox error={error} onRetry={reload} />}
      {!data ? (
        !error && <Loading label="Loading the policy…" />
      ) : (
        <PolicyForm key={data.form} loaded={data} onConflict={reload} onReplaced={replaced} />
      )}
      <AuditReaders what="History of the policy">
        <PolicyHistory etag={data?.etag ?? ''} onConflict={reload} onRestored={replaced} />
      </AuditReaders>
    </>
  );
}

function PolicyForm({
  loaded: { policy, etag },
  onConflict,
  onReplaced,
}: {
  readonly loaded: Loaded;
  /** Loads the policy again; changed fields keep their values. */
  readonly onConflict: () => void;
  /** Loads the policy into a new form. */
  readonly onReplaced: () => void;
}): JSX.Element {
  const me = useMe();
  const [error, setError] = useState<ApiError | null>(null);
  const [preview, setPreview] = useState<PolicySimulationView | 'busy' | null>(null);
  const isReader = me.role === 'auditor';
  const tryOut = async (form: HTMLFormElement) => {
    setError(null);
    setPreview('busy');
    try {
      const body = { policy: settingsOf(form), last: 50 };
      setPreview(await call<PolicySimulationView>('POST', 'policy/simulate', { body }));
    } catch (failure) {
      setPreview(null);
      setError(asApiError(failure));
    }
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if ((event.submitter as HTMLButtonElement | null)?.value === 'preview') return tryOut(form);
    setError(null);
    try {
      await call('PUT', 'policy', { body: settingsOf(form), headers: { 'if-match': etag } });
      onReplaced();
    } catch (failure) {
      const problem = asApiError(failure);
      setError(problem);
      if (problem.code === 'policy_changed') onConflict();
    }
  };
  const priorities = policy.source_priorities;
  const number = (name: string, value: number, min: number, max: number, step: string) => (
    <input
      name={name}
      type="number"
      min={min}
      max={max}
      step={step}
      defaultValue={String(value)}
      required
    />
  );
  return (
    <form class="box" onSubmit={(event) => void submit(event)}>
      <fieldset disabled={isReader}>
        <legend>Settings</legend>
        <div class="row">
          <Field label="Stale after (days)" hint="Up to 365">
            {number('days', policy.staleness_budget_seconds / 86_400, 0.001, 365, 'any')}
          </Field>
          <Field label="Least results" hint="0 to 100">
            {number('min_evidence_count', policy.min_evidence_count, 0, 100, '1')}
          </Field>
          <Field label="Least top score" hint="0 to 1">
            {number('min_evidence_score', policy.min_evidence_score, 0, 1, 'any')}
          </Field>
        </div>
        <div class="row">
          <Field label="Priority of repositories" hint="0 to 5">
            {number('repo', priorities.repo, 0, 5, 'any')}
          </Field>
          <Field label="Priority of HTML docs" hint="0 to 5">
            {number('docs_html', priorities.docs_html, 0, 5, 'any')}
          </Field>
          <Field label="Priority of OpenAPI docs" hint="0 to 5">
            {number('docs_openapi', priorities.docs_openapi, 0, 5, 'any')}
          </Field>
        </div>
        <label class="check">
          <input
            type="checkbox"
            name="enforce_staleness"
            defaultChecked={policy.enforce_staleness}
          />
          Mark stale results and warn
        </label>
        <label class="check">
          <input type="checkbox" name="enforce_refusal" defaultChecked={policy.enforce_refusal} />
          Refuse instead of showing weak results
        </label>
        <p class="row">
          <button value="preview">Preview on recent searches</button>
          <button class="primary" value="save">
            Save
          </button>
        </p>
      </fieldset>
      {isReader && <p class="meta">An auditor sees the policy and cannot change it.</p>}
      {error && (
        <>
          <ErrorBox error={error} />
          {error.code === 'policy_changed' && (
            <p>
              Somebody else has changed the policy; the history below has the change. The fields
              that you changed keep your values, the others show those of now. Save again to put
              yours in their place.{' '}
              <button type="button" onClick={onReplaced}>
                Discard my changes
              </button>
            </p>
          )}
        </>
      )}
      {preview === 'busy' && <Loading label="Repeating recent searches…" />}
      {preview !== null && preview !== 'busy' && <Preview preview={preview} />}
    </form>
  );
}

function settingsOf(form: HTMLFormElement): UpdatePolicyBody {
  const fields = new FormData(form);
  const number = (name: string) => Number(fields.get(name));
  return {
    staleness_budget_seconds: Math.round(number('days') * 86_400),
    min_evidence_count: number('min_evidence_count'),
    min_evidence_score: number('min_evidence_score'),
    source_priorities: {
      repo: number('repo'),
      docs_html: number('docs_html'),
      docs_openapi: number('docs_openapi'),
    },
    enforce_staleness: fields.has('enforce_staleness'),
    enforce_refusal: fields.has('enforce_refusal'),
  };
}

const EFFECTS = ['refused', 'answered', 'dropped', 'added', 'reordered', 'unchanged'] as const;

function Preview({ preview }: { readonly preview: PolicySimulationView }): JSX.Element {
  if (preview.simulated === 0) {
    return <p role="status">There is no recent search to repeat. Nothing is saved.</p>;
  }
  return (
    <section aria-label="Preview" role="status">
      <h2>Effect on the last {preview.simulated} searches</h2>
      <p class="meta">
        This is a preview: nothing is saved.{' '}
        {!preview.complete && 'Time ran out before all were repeated.'}
      </p>
      <Changes changes={preview.changes} settingOf={policySetting} />
      <dl class="facts">
        {EFFECTS.map((effect) => (
          <Fact key={effect} name={effect}>
            {preview[effect]}
          </Fact>
        ))}
      </dl>
      {preview.examples.length > 0 && (
        <WideTable of="searches that change">
          <caption>Searches that change</caption>
          <thead>
            <tr>
              <th scope="col">Receipt</th>
              <th scope="col">Effects</th>
              <th scope="col" class="number">
                Results before
              </th>
              <th scope="col" class="number">
                Results after
              </th>
            </tr>
          </thead>
          <tbody>
            {preview.examples.map((example) => (
              <tr key={example.receipt_id}>
                <th scope="row">
                  <a href={`#/receipts/${example.receipt_id}`}>
                    <code>{example.receipt_id}</code>
                  </a>
                </th>
                <td>{example.effects.join(', ')}</td>
                <td class="number">{example.results_before}</td>
                <td class="number">{example.results_after}</td>
              </tr>
            ))}
          </tbody>
        </WideTable>
      )}
    </section>
  );
}
