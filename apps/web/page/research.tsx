import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { RoverJobList, RoverJobView } from '#contracts/http/index';

import type { Route } from '../logic/route.js';
import { type ApiError, call } from './api.js';
import { fieldText } from './form-fields.js';
import { asApiError, goTo, useLoad } from './hooks.js';
import { JOB_TONES } from './job-tones.js';
import { Pager } from './pager.js';
import { BackLink, Badge, ErrorBox, Field, Loading, PageTitle, When } from './parts.js';
import { ResearchJob } from './research-job.js';
import { useMe } from './session.js';

const PAGE = 20;

/** The API key of this tab. It is in memory alone: closing or reloading the tab forgets it. */
let keyOfTab: string | null = null;

/** Research over GitHub repositories. Its routes take API keys alone, so the page asks for one. */
export function ResearchPage({ route }: { readonly route: Route }): JSX.Element {
  const [key, setKey] = useState(keyOfTab);
  const id = route.path[1];
  const keep = (next: string | null) => {
    keyOfTab = next;
    setKey(next);
  };
  return (
    <>
      {id !== undefined && <BackLink place="research">All research</BackLink>}
      <PageTitle>Research</PageTitle>
      {key === null ? (
        <KeyForm onKey={keep} />
      ) : (
        <>
          {id === undefined ? (
            <Jobs apiKey={key} route={route} />
          ) : (
            <ResearchJob key={id} apiKey={key} id={id} />
          )}
          <p class="meta">
            An API key is in the memory of this tab.{' '}
            <button type="button" class="small" onClick={() => keep(null)}>
              Forget the key
            </button>
          </p>
        </>
      )}
    </>
  );
}

function KeyForm({ onKey }: { readonly onKey: (key: string) => void }): JSX.Element {
  const me = useMe();
  const [error, setError] = useState<ApiError | null>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const key = fieldText(new FormData(event.currentTarget as HTMLFormElement), 'key');
    setError(null);
    await call('GET', 'rover/jobs?per_page=1', { key }).then(
      () => onKey(key),
      (failure: unknown) => setError(asApiError(failure)),
    );
  };
  return (
    <form class="box" onSubmit={(event) => void submit(event)}>
      <p>
        Research takes API keys alone, not sessions. The key stays in the memory of this tab:
        closing or reloading the tab forgets it.{' '}
        {me.role === 'owner' ? (
          <a href="#/people">Make a key</a>
        ) : (
          `An owner of ${me.tenant_name} can make one.`
        )}
      </p>
      <Field label="API key" hint="Needs the scope read; starting research needs write">
        <input name="key" type="password" autocomplete="off" required maxLength={200} />
      </Field>
      {error && <ErrorBox error={error} />}
      <button class="primary">Use the key</button>
    </form>
  );
}

function Jobs({ apiKey, route }: { readonly apiKey: string; readonly route: Route }): JSX.Element {
  const page = Number(route.params['page'] ?? 1);
  const { data, error, reload } = useLoad(`research ${page}`, (signal) =>
    call<RoverJobList>('GET', `rover/jobs?page=${page}&per_page=${PAGE}`, { signal, key: apiKey }),
  );
  return (
    <>
      <StartForm apiKey={apiKey} />
      <h2>Jobs</h2>
      {error ? (
        <ErrorBox error={error} onRetry={reload} />
      ) : !data ? (
        <Loading label="Loading research jobs…" />
      ) : data.total === 0 ? (
        <p class="box">No research yet. Ask a question that spans repositories.</p>
      ) : (
        <ul class="history">
          {data.jobs.map((job) => (
            <li key={job.id}>
              <a href={`#/research/${job.id}`}>{job.question}</a>{' '}
              <Badge tone={JOB_TONES[job.status]}>{job.status}</Badge>
              <p class="meta">
                {job.mode} · {job.repos.join(', ') || 'repositories chosen by the job'} ·{' '}
                <When time={job.created_at} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager
        skip={(page - 1) * PAGE}
        size={PAGE}
        total={data?.total ?? 0}
        onSkip={(skip) => goTo(['research'], { page: skip / PAGE + 1 })}
      />
    </>
  );
}

function StartForm({ apiKey }: { readonly apiKey: string }): JSX.Element {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const repos = fieldText(form, 'repos')
      .split(/[\s,]+/)
      .filter(Boolean);
    const body = {
      question: fieldText(form, 'question'),
      mode: fieldText(form, 'mode'),
      ...(repos.length > 0 && { repos }),
    };
    setBusy(true);
    setError(null);
    try {
      const job = await call<RoverJobView>('POST', 'rover/jobs', { body, key: apiKey });
      goTo(['research', job.id]);
    } catch (failure) {
      setError(asApiError(failure));
      setBusy(false);
    }
  };
  return (
    <form class="box" aria-label="Start research" onSubmit={(event) => void submit(event)}>
      <Field label="Question">
        <textarea name="question" rows={3} required maxLength={2000} />
      </Field>
      <div class="row">
        <Field label="Repositories" hint="owner/repo, up to 3 (deep: 10). Empty: the job chooses">
          <input name="repos" placeholder="psf/requests urllib3/urllib3" />
        </Field>
        <Field label="Mode">
          <select name="mode">
            <option value="fast">Fast: up to 60 s</option>
            <option value="deep">Deep: up to 15 minutes</option>
          </select>
        </Field>
      </div>
      {error && <ErrorBox error={error} />}
      <button class="primary" aria-disabled={isBusy}>
        {isBusy ? 'Starting…' : 'Start research'}
      </button>
    </form>
  );
}
