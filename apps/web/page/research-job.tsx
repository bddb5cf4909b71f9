import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { RoverJobView, RoverVerificationView } from '#contracts/http/index';

import { withoutCitationList } from '../logic/answer-text.js';
import { placeText, shortVersion } from '../logic/citation-text.js';
import { EventStreamReader } from '../logic/event-stream.js';
import { applyRoverEvent } from '../logic/rover-events.js';
import { AnswerText } from './answer.js';
import { ApiError, call, request, STREAM_TIMEOUT_MS } from './api.js';
import { asApiError } from './hooks.js';
import { JOB_TONES } from './job-tones.js';
import { Badge, ErrorBox, Loading, When, WideTable } from './parts.js';

const RECONNECT_MS = 2_000;

/** One research job: its steps as they happen, its growing answer, its evidence. */
export function ResearchJob({
  apiKey,
  id,
}: {
  readonly apiKey: string;
  readonly id: string;
}): JSX.Element {
  const { job, error, retry } = useJob(apiKey, id);
  const [shown, setShown] = useState<string | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  if (error) return <ErrorBox error={error} onRetry={retry} />;
  if (!job) return <Loading label="Loading the research job…" />;
  const isOpen = job.status === 'running' || job.status === 'pending';
  const cancel = () =>
    call('DELETE', `rover/jobs/${id}`, { key: apiKey }).catch((failure: unknown) =>
      setProblem(asApiError(failure)),
    );
  return (
    <>
      <h2 class="question">{job.question}</h2>
      <p class="row">
        <Badge tone={JOB_TONES[job.status]}>{job.status}</Badge>
        <span class="meta">
          {job.mode}, <When time={job.created_at} />
          {job.confidence !== null && ` · confidence ${job.confidence}`}
        </span>
        {isOpen && (
          <button type="button" class="small" onClick={() => void cancel()}>
            Cancel
          </button>
        )}
      </p>
      {problem && <ErrorBox error={problem} />}
      {isOpen && (
        <progress max={100} value={job.progress_percent} aria-label="Progress">
          {job.progress_percent} %
        </progress>
      )}
      {job.error_message !== null && <div class="box error">{job.error_message}</div>}
      <Steps job={job} isOpen={isOpen} />
      {job.answer !== null && job.answer !== '' && (
        <section aria-label="Answer" class="box answer">
          <AnswerText
            text={withoutCitationList(job.answer)}
            placeOf={(mark) => {
              const citation = job.citations.find((each) => each.id === String(mark));
              return citation && { label: placeText(citation), open: () => setShown(citation.id) };
            }}
          />
        </section>
      )}
      {job.not_found.length > 0 && !job.answer && (
        <section class="box warn" aria-label="Not found">
          <strong>Without evidence:</strong>
          <ul>
            {job.not_found.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
        </section>
      )}
      {job.citations.length > 0 && <Citations job={job} shown={shown} />}
      {job.read.length > 0 && <Read job={job} />}
      {job.status === 'completed' && job.citations.length > 0 && <Verify apiKey={apiKey} id={id} />}
      {job.receipt_id !== null && (
        <p class="meta">
          Receipt <a href={`#/receipts/${job.receipt_id}`}>{job.receipt_id}</a>
        </p>
      )}
    </>
  );
}

/** Follows a job by its stream; a cut stream is resumed after its last event. */
function useJob(apiKey: string, id: string) {
  const [job, setJob] = useState<RoverJobView | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setError(null);
    const follow = async () => {
      let current = await call<RoverJobView>('GET', `rover/jobs/${id}`, { key: apiKey, signal });
      setJob(current);
      let last: string | undefined;
      while (current.status === 'pending' || current.status === 'running') {
        const response = await request('GET', `rover/jobs/${id}/stream`, {
          key: apiKey,
          signal,
          timeoutMs: STREAM_TIMEOUT_MS,
          headers: {
            accept: 'text/event-stream',
            ...(last !== undefined && { 'last-event-id': last }),
          },
        });
        const events = new EventStreamReader();
        // A stream from the start repeats the answer so far.
        if (last === undefined) current = { ...current, answer: null };
        const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
        for (;;) {
          const piece = await reader?.read().catch(() => undefined);
          if (!piece || piece.done || signal.aborted) break;
          for (const event of events.push(piece.value)) {
            last = event.id ?? last;
            current = applyRoverEvent(current, event);
            setJob(current);
          }
        }
        if (signal.aborted) return;
        // A finished job ends its stream with `done`; any other end is a cut connection.
        if (current.status === 'pending' || current.status === 'running')
          await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      }
    };
    follow().catch((failure: unknown) => {
      if (!signal.aborted) setError(asApiError(failure));
    });
    return () => controller.abort();
  }, [apiKey, id, turn]);
  return { job, error, retry: () => setTurn(turn + 1) };
}

function Steps({
  job,
  isOpen,
}: {
  readonly job: RoverJobView;
  readonly isOpen: boolean;
}): JSX.Element {
  const tones = { completed: 'good', failed: 'bad', running: 'warn' } as const;
  return (
    <details open={isOpen}>
      <summary>{job.steps.length} steps</summary>
      <ol class="history">
        {job.steps.map((step) => (
          <li key={step.id} aria-current={step.status === 'running' ? 'step' : undefined}>
            <strong>{step.kind}</strong> {step.title}{' '}
            <Badge tone={tones[step.status]}>{step.status}</Badge>
            {step.detail !== null && <p class="meta">{step.detail}</p>}
          </li>
        ))}
      </ol>
    </details>
  );
}

function Citations({
  job,
  shown,
}: {
  readonly job: RoverJobView;
  readonly shown: string | null;
}): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (shown === null) return;
    const entry = list.current?.querySelector<HTMLDetailsElement>(`#cited-${CSS.escape(shown)}`);
    if (!entry) return;
    entry.open = true;
    entry.querySelector('summary')?.focus();
  }, [shown]);
  return (
    <section>
      <h2>Citations</h2>
      <ol class="citations" ref={list}>
        {job.citations.map((citation) => (
          <li key={citation.id} value={Number(citation.id)}>
            <details id={`cited-${citation.id}`}>
              <summary>
                {citation.repo}@<wbr />
                {shortVersion(citation.version_ref)} {placeText(citation)}
              </summary>
              <pre tabIndex={0} aria-label={`Passage ${citation.id}`}>
                <code>{citation.content}</code>
              </pre>
              <p class="meta">
                {citation.url !== undefined && (
                  <a href={citation.url} rel="noreferrer">
                    At its host
                  </a>
                )}{' '}
                SHA-256 <code>{citation.sha256}</code>
              </p>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Read({ job }: { readonly job: RoverJobView }): JSX.Element {
  const { usage } = job;
  return (
    <details>
      <summary>Repositories and cost</summary>
      <WideTable of="repositories">
        <thead>
          <tr>
            <th scope="col">Repository</th>
            <th scope="col">Commit</th>
            <th scope="col" class="number">
              Files
            </th>
            <th scope="col" class="number">
              Passages
            </th>
            <th scope="col">Complete</th>
          </tr>
        </thead>
        <tbody>
          {job.read.map((each) => (
            <tr key={each.repo}>
              <th scope="row">{each.repo}</th>
              <td>{each.commit === null ? '–' : <code>{shortVersion(each.commit)}</code>}</td>
              <td class="number">{each.files.toLocaleString('en')}</td>
              <td class="number">{each.chunks.toLocaleString('en')}</td>
              <td>{each.complete ? 'yes' : (each.reason ?? 'no')}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      <p class="meta">
        {usage.seconds.toFixed(1)} of {usage.budget.seconds} s, {usage.searches} of{' '}
        {usage.budget.searches} searches, {usage.rounds} of {usage.budget.rounds} rounds,{' '}
        {usage.model_calls} of {usage.budget.model_calls} model calls
      </p>
    </details>
  );
}

/** Compares the cited passages with their commits as the host has them now. */
function Verify({ apiKey, id }: { readonly apiKey: string; readonly id: string }): JSX.Element {
  const [state, setState] = useState<ApiError | RoverVerificationView | 'busy' | null>(null);
  const verify = async () => {
    setState('busy');
    await call<RoverVerificationView>('POST', `rover/jobs/${id}/verify`, { key: apiKey }).then(
      setState,
      (failure: unknown) => setState(asApiError(failure)),
    );
  };
  return (
    <section class="box" aria-label="Verification">
      <button type="button" aria-disabled={state === 'busy'} onClick={() => void verify()}>
        Verify the citations
      </button>
      <div role="status">
        {state === 'busy' && <p>Fetching the commits…</p>}
        {state instanceof ApiError && <ErrorBox error={state} />}
        {state !== null && state !== 'busy' && !(state instanceof ApiError) && (
          <>
            <p>
              {state.matches} match, {state.changed} changed, {state.gone} gone
            </p>
            <ul>
              {state.citations
                .filter(({ status }) => status !== 'matches')
                .map((each) => (
                  <li key={each.id}>
                    [{each.id}] {each.repo} {each.path}: {each.status}
                    {each.detail !== null && `, ${each.detail}`}
                  </li>
                ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}
