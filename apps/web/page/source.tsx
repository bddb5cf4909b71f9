import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { JobList, JobView, SourceView } from '#contracts/http/index';

import { shortVersion } from '../logic/citation-text.js';
import { counted } from '../logic/counted.js';
import { type ApiError, call } from './api.js';
import { AuditReaders } from './audit-readers.js';
import { asApiError, goTo, useInterval, useLoad } from './hooks.js';
import { JOB_TONES } from './job-tones.js';
import {
  BackLink,
  Badge,
  Dialog,
  ErrorBox,
  Fact,
  isGone,
  Loading,
  PageTitle,
  When,
} from './parts.js';
import { PushHook } from './push-hook.js';
import { useMe } from './session.js';
import { SourceHistory } from './source-history.js';
import { OtherBranch, SourceSettings } from './source-settings.js';
import { StatusBadge } from './sources.js';

const POLL_MS = 1_000;

/** One source: its state, its jobs with live stages, its history. */
export function SourcePage({ id }: { readonly id: string }): JSX.Element {
  const me = useMe();
  const source = useLoad(`source ${id}`, (signal) =>
    call<SourceView>('GET', `sources/${id}`, { signal }),
  );
  const jobs = useLoad(`jobs ${id}`, (signal) =>
    call<JobList>('GET', `jobs?source_id=${id}&limit=10`, { signal }),
  );
  const isRunning =
    jobs.data?.jobs.some(({ status }) => status === 'running' || status === 'pending') ?? false;
  const reload = () => {
    source.reload();
    jobs.reload();
  };
  useInterval(reload, isRunning || source.data?.status === 'syncing' ? POLL_MS : null);
  if (source.error && (!source.data || isGone(source.error))) {
    return (
      <>
        <PageTitle>Source</PageTitle>
        <ErrorBox error={source.error} onRetry={source.reload} />
        <BackLink place="sources">All sources</BackLink>
      </>
    );
  }
  if (!source.data) return <Loading label="Loading the source…" />;
  const { data } = source;
  return (
    <>
      <BackLink place="sources">All sources</BackLink>
      <PageTitle>{data.name}</PageTitle>
      {source.error && <ErrorBox error={source.error} onRetry={reload} />}
      <dl class="facts">
        <Fact name="Status">
          <StatusBadge source={data} /> {data.status === 'syncing' && data.sync_message}
        </Fact>
        <Fact name="Address">{data.url}</Fact>
        {data.branch !== undefined && <Fact name="Branch">{data.branch}</Fact>}
        <Fact name="Version">
          {data.version_ref === null ? 'none yet' : <code>{shortVersion(data.version_ref)}</code>}
        </Fact>
        <Fact name="Content">
          {counted(data.file_count, 'file')}, {counted(data.chunk_count, 'passage')}
        </Fact>
        <Fact name="Last sync">
          {data.last_sync_completed === undefined ? (
            'never'
          ) : (
            <When time={data.last_sync_completed} />
          )}
        </Fact>
        <Fact name="Next sync">
          {data.next_sync_at === null ? 'on request' : <When time={data.next_sync_at} />}
        </Fact>
      </dl>
      {data.last_error !== null && <div class="box error">{data.last_error}</div>}
      {me.role !== 'auditor' && <Actions source={data} onChanged={reload} />}
      {me.role !== 'auditor' && <SourceSettings source={data} onChanged={reload} />}
      {me.role !== 'auditor' && data.source_type === 'repo' && (
        <PushHook id={id} isSet={data.has_push_hook} onChanged={reload} />
      )}
      {data.chunk_count > 0 && (
        <p>
          <a href={`#/search?source=${id}`}>Search in this source</a> ·{' '}
          <a href="#/chat">Ask a question</a>
        </p>
      )}
      <h2>Jobs</h2>
      {jobs.error ? (
        <ErrorBox error={jobs.error} onRetry={jobs.reload} />
      ) : !jobs.data ? (
        <Loading label="Loading jobs…" />
      ) : jobs.data.total === 0 ? (
        <p class="box">No job yet. Sync the source to index it.</p>
      ) : (
        jobs.data.jobs.map((job, index) => (
          <Job key={job.id} job={job} isNewest={index === 0} onChanged={reload} />
        ))
      )}
      <AuditReaders what="History and versions">
        <SourceHistory id={id} />
      </AuditReaders>
    </>
  );
}

function Actions({
  source,
  onChanged,
}: {
  readonly source: SourceView;
  readonly onChanged: () => void;
}): JSX.Element {
  const [error, setError] = useState<ApiError | null>(null);
  const [asks, setAsks] = useState(false);
  const act = async (method: string, path: string, then: () => void) => {
    setError(null);
    await call(method, path).then(then, (failure: unknown) => setError(asApiError(failure)));
  };
  return (
    <>
      <p class="row">
        <button
          type="button"
          class="primary"
          aria-disabled={source.status === 'syncing'}
          onClick={() => void act('POST', `sources/${source.id}/sync`, onChanged)}
        >
          Sync now
        </button>
        <button type="button" onClick={() => setAsks(true)}>
          Delete…
        </button>
      </p>
      {error && <ErrorBox error={error} />}
      {asks && (
        <Dialog title={`Delete ${source.name}?`} onClose={() => setAsks(false)}>
          <p>
            {source.file_count} files and {source.chunk_count} passages leave every search at once.
            Citations of this source can no longer be opened, and receipts that used it cannot be
            replayed. The audit trail stays.
          </p>
          {error && <ErrorBox error={error} />}
          <p class="row">
            <button
              type="button"
              class="danger"
              onClick={() => void act('DELETE', `sources/${source.id}`, () => goTo(['sources']))}
            >
              Delete the source
            </button>
            <button type="button" onClick={() => setAsks(false)}>
              Keep it
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

const STAGES = ['fetch', 'parse', 'chunk', 'embed', 'index', 'finalize'] as const;

function Job({
  job,
  isNewest,
  onChanged,
}: {
  readonly job: JobView;
  readonly isNewest: boolean;
  readonly onChanged: () => void;
}): JSX.Element {
  const me = useMe();
  const [error, setError] = useState<ApiError | null>(null);
  const isOpen = job.status === 'running' || job.status === 'pending';
  const cancel = async () => {
    setError(null);
    await call('POST', `jobs/${job.id}/cancel`).catch((failure: unknown) =>
      setError(asApiError(failure)),
    );
    onChanged();
  };
  const otherBranch = job.error_details?.['default_branch'];
  const at = STAGES.findIndex((stage) => stage === job.stage);
  return (
    <article class="box job">
      <p class="row">
        <Badge tone={JOB_TONES[job.status]}>{job.status}</Badge>
        <span>
          <When time={job.created_at} />
        </span>
        {job.retry_count > 0 && <span class="meta">{job.retry_count} retries</span>}
        {isOpen && (
          <button type="button" class="small" onClick={() => void cancel()}>
            Cancel
          </button>
        )}
      </p>
      {error && <ErrorBox error={error} />}
      {isOpen && (
        <>
          <label>
            {job.progress_message || job.stage}{' '}
            <progress max={100} value={job.progress_percent}>
              {job.progress_percent} %
            </progress>
          </label>
          <ol class="stages" aria-label="Stages">
            {STAGES.map((stage, index) => (
              <li key={stage} aria-current={index === at ? 'step' : undefined}>
                {stage}
                {index < at && ' ✓'}
              </li>
            ))}
          </ol>
        </>
      )}
      {job.error_message !== null && (
        <div class="box error">
          <p>{job.error_message}</p>
          {isNewest && typeof otherBranch === 'string' && me.role !== 'auditor' && (
            <OtherBranch sourceId={job.source_id} branch={otherBranch} onChanged={onChanged} />
          )}
        </div>
      )}
      {job.status === 'completed' && (
        <p class="meta">
          {counted(job.files_processed, 'file')} read; passages: {job.chunks_created} new,{' '}
          {job.chunks_updated} changed, {job.chunks_deleted} deleted
        </p>
      )}
      <details>
        <summary>Timeline</summary>
        <ul>
          {job.timeline.map(({ stage, attempt, outcome, started_at, ended_at }) => (
            <li key={`${stage} ${attempt} ${started_at}`}>
              {stage} {attempt > 1 && `(attempt ${attempt})`} {outcome}
              {ended_at !== null && ` in ${Date.parse(ended_at) - Date.parse(started_at)} ms`}
            </li>
          ))}
        </ul>
      </details>
    </article>
  );
}
