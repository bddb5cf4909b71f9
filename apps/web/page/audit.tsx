import type { JSX } from 'preact';

import type { AuditEventList, AuditEventView } from '#contracts/http/index';

import type { Route } from '../logic/route.js';
import { call, serviceAddress } from './api.js';
import { AsOf } from './as-of.js';
import { Changes } from './changes.js';
import { fieldTexts } from './form-fields.js';
import { goTo, useLoad } from './hooks.js';
import { Badge, CopyButton, ErrorBox, Fact, Loading, PageTitle, When } from './parts.js';
import { VerifyTrail } from './verify-trail.js';

const PAGE = 50;
const FILTERS = ['category', 'outcome', 'action', 'actor_id', 'target_id', 'request_id'] as const;
const TITLES = {
  category: 'Category',
  outcome: 'Outcome',
  action: 'Action',
  actor_id: 'Actor ID',
  target_id: 'Target ID',
  request_id: 'Request ID',
} as const;

/** The audit trail: newest first, with filters in the address, and its verification. */
export function AuditPage({ route }: { readonly route: Route }): JSX.Element {
  const { params } = route;
  const query = new URLSearchParams({ order: 'desc', limit: String(PAGE) });
  for (const name of [...FILTERS, 'after']) {
    if (params[name]) query.set(name, params[name]);
  }
  const { data, error, isLoading, reload } = useLoad(`audit ${query}`, (signal) =>
    call<AuditEventList>('GET', `audit/events?${query}`, { signal }),
  );
  const exported = new URLSearchParams(
    FILTERS.flatMap((name) => (params[name] ? [[name, params[name]]] : [])),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    goTo(['audit'], fieldTexts(event.currentTarget as HTMLFormElement));
  };
  return (
    <>
      <PageTitle>Audit</PageTitle>
      <VerifyTrail />
      <AsOf route={route} />
      <form class="row" onSubmit={submit} aria-label="Filters">
        <Choice
          name="category"
          options={['admin', 'access', 'job', 'search', 'data']}
          {...{ params }}
        />
        <Choice name="outcome" options={['success', 'failure', 'denied']} {...{ params }} />
        {FILTERS.slice(2).map((name) => (
          <label class="field" key={name}>
            <span>{TITLES[name]}</span>
            <input name={name} defaultValue={params[name] ?? ''} />
          </label>
        ))}
        <button>Filter</button>
        <a class="button" href={serviceAddress(`audit/export?${exported}`)} download>
          Export these records
        </a>
      </form>
      {error ? (
        <ErrorBox error={error} onRetry={reload} />
      ) : !data ? (
        <Loading label="Loading the trail…" />
      ) : data.events.length === 0 ? (
        <p class="box">No record matches these filters.</p>
      ) : (
        <ol class="history" aria-busy={isLoading}>
          {data.events.map((event) => (
            <Record key={event.id} event={event} />
          ))}
        </ol>
      )}
      <p class="row">
        {params['after'] !== undefined && (
          <button type="button" onClick={() => goTo(['audit'], { ...params, after: '' })}>
            Newest
          </button>
        )}
        {data?.next !== null && data?.next !== undefined && (
          <button
            type="button"
            onClick={() => goTo(['audit'], { ...params, after: data.next ?? undefined })}
          >
            Older
          </button>
        )}
      </p>
    </>
  );
}

function Choice({
  name,
  options,
  params,
}: {
  readonly name: keyof typeof TITLES;
  readonly options: readonly string[];
  readonly params: Route['params'];
}): JSX.Element {
  return (
    <label class="field">
      <span>{TITLES[name]}</span>
      <select name={name}>
        <option value="">All</option>
        {options.map((option) => (
          <option key={option} selected={option === params[name]}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}

function Record({ event }: { readonly event: AuditEventView }): JSX.Element {
  const tone = { success: 'good', failure: 'bad', denied: 'warn' } as const;
  return (
    <li>
      <strong>{event.action}</strong> <Badge tone={tone[event.outcome]}>{event.outcome}</Badge> by{' '}
      {event.actor.name ?? event.actor.type}, <When time={event.recorded_at} />{' '}
      <span class="meta">no. {event.seq}</span>
      <Changes changes={event.changes} />
      <details>
        <summary>Record</summary>
        <dl class="facts">
          <Fact name="Actor">
            {event.actor.type} <code>{event.actor.id}</code>
          </Fact>
          <Fact name="Targets">
            {event.targets.map(({ type, id }) => (
              <span key={`${type} ${id}`}>
                {type} <code>{id}</code>{' '}
              </span>
            ))}
          </Fact>
          <Fact name="Request">
            <code>{event.correlation_id}</code>{' '}
            <CopyButton text={event.correlation_id} label="Copy ID" />
          </Fact>
          <Fact name="Hash">
            <code>{event.hash}</code>
          </Fact>
        </dl>
        <pre tabIndex={0} aria-label={`Data of record ${event.seq}`}>
          <code>{JSON.stringify(event.data, null, 2)}</code>
        </pre>
      </details>
    </li>
  );
}
