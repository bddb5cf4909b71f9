import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { SourceList, SourceView } from '#contracts/http/index';

import { shortVersion } from '../logic/citation-text.js';
import type { Route } from '../logic/route.js';
import { AddSource } from './add-source.js';
import { type ApiError, call } from './api.js';
import { asApiError, goTo, useInterval, useLoad } from './hooks.js';
import { Pager } from './pager.js';
import { Badge, ErrorBox, Loading, PageTitle, When, WideTable } from './parts.js';
import { useMe } from './session.js';
import { UploadPdf } from './upload-pdf.js';

const PAGE = 50;
const POLL_MS = 1_500;
const STATUSES = ['pending', 'syncing', 'synced', 'error'] as const;

/** The sources of the tenant, with the state of their syncs. */
export function SourcesPage({ route }: { readonly route: Route }): JSX.Element {
  const me = useMe();
  const skip = Number(route.params['skip'] ?? 0);
  const { status = '' } = route.params;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [failures, setFailures] = useState<readonly ApiError[]>([]);
  const query = new URLSearchParams({ skip: String(skip), limit: String(PAGE) });
  if (status) query.set('status', status);
  const { data, error, reload } = useLoad(`sources?${query}`, (signal) =>
    call<SourceList>('GET', `sources?${query}`, { signal }),
  );
  const isSyncing = data?.sources.some((source) => source.status === 'syncing') ?? false;
  useInterval(reload, isSyncing ? POLL_MS : null);
  const syncChosen = async () => {
    const problems: ApiError[] = [];
    for (const id of chosen) {
      await call('POST', `sources/${id}/sync`).catch((failure: unknown) =>
        problems.push(asApiError(failure)),
      );
    }
    setFailures(problems);
    setChosen(new Set());
    reload();
  };
  const canWrite = me.role !== 'auditor';
  return (
    <>
      <PageTitle>Sources</PageTitle>
      {canWrite && (
        <>
          <AddSource
            isFirst={data?.total === 0 && status === ''}
            onAdded={(id) => goTo(['sources', id])}
          />
          <UploadPdf onAdded={(id) => goTo(['sources', id])} />
        </>
      )}
      <div class="row">
        <label class="field">
          <span>Status</span>
          <select
            value={status}
            onChange={(event) => goTo(['sources'], { status: event.currentTarget.value })}
          >
            <option value="">All</option>
            {STATUSES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        {canWrite && (
          <button type="button" aria-disabled={chosen.size === 0} onClick={() => void syncChosen()}>
            Sync {chosen.size > 0 ? chosen.size : 'chosen'} sources
          </button>
        )}
      </div>
      {failures.map((failure, index) => (
        <ErrorBox key={index} error={failure} />
      ))}
      {error ? (
        <ErrorBox error={error} onRetry={reload} />
      ) : !data ? (
        <Loading label="Loading sources…" />
      ) : data.total === 0 ? (
        <p class="box">
          {status === ''
            ? 'No sources yet. Add a repository, documentation or a PDF above; then sync it.'
            : 'No source has this status.'}
        </p>
      ) : (
        <WideTable of="sources">
          <thead>
            <tr>
              {canWrite && <th scope="col">Choose</th>}
              <th scope="col">Name</th>
              <th scope="col">Status</th>
              <th scope="col">Version</th>
              <th scope="col">Last sync</th>
              <th scope="col">Next sync</th>
              <th scope="col" class="number">
                Passages
              </th>
            </tr>
          </thead>
          <tbody>
            {data.sources.map((source) => (
              <tr key={source.id}>
                {canWrite && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Choose ${source.name}`}
                      checked={chosen.has(source.id)}
                      onChange={() => setChosen(toggled(chosen, source.id))}
                    />
                  </td>
                )}
                <th scope="row">
                  <a href={`#/sources/${source.id}`}>{source.name}</a>
                  <br />
                  <span class="meta">{source.url}</span>
                </th>
                <td>
                  <StatusBadge source={source} />
                  {source.last_error !== null && <p class="meta">{source.last_error}</p>}
                  {source.status === 'syncing' && <p class="meta">{source.sync_message}</p>}
                </td>
                <td>
                  {source.version_ref === null ? (
                    '–'
                  ) : (
                    <code>{shortVersion(source.version_ref)}</code>
                  )}
                </td>
                <td>
                  {source.last_sync_completed === undefined ? (
                    'never'
                  ) : (
                    <When time={source.last_sync_completed} />
                  )}
                </td>
                <td>
                  {source.next_sync_at === null ? (
                    'on request'
                  ) : (
                    <When time={source.next_sync_at} />
                  )}
                </td>
                <td class="number">{source.chunk_count.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </WideTable>
      )}
      <Pager
        skip={skip}
        size={PAGE}
        total={data?.total ?? 0}
        onSkip={(to) => goTo(['sources'], { status, skip: to })}
      />
    </>
  );
}

/** The status of a source in a word. */
export function StatusBadge({
  source: { status },
}: {
  readonly source: Pick<SourceView, 'status'>;
}): JSX.Element {
  const tone = { synced: 'good', error: 'bad', syncing: 'warn', pending: 'plain' } as const;
  return <Badge tone={tone[status]}>{status}</Badge>;
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}
