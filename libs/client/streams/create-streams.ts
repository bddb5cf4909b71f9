import { ConnectionError, isApiError } from '../api-error.js';
import type { CallSettings } from '../call.types.js';
import type {
  ChatStreamData,
  ChatStreamResponse,
  FeedErrorEvent,
  FeedListData,
  FeedMessageEvent,
  JobsStreamResponse,
  RoverStreamResponse,
} from '../generated/api.types.js';
import type { OperationShape } from '../operation.types.js';
import { pause } from '../pause.js';
import type { Transport } from '../transport.js';
import { type AnyInput, wireRequest } from '../wire-request.js';
import { readEvents } from './read-events.js';

/** Events of `GET /jobs/{job_id}/stream` by name. */
export type JobEvent = JobsStreamResponse;
/** Events of `GET /rover/jobs/{rover_job_id}/stream` by name. */
export type RoverEvent = RoverStreamResponse;
/** Events of `POST /chat/stream` by name. */
export type ChatEvent = ChatStreamResponse;
/** Events of the tenant, as `GET /events` streams them. */
export type FeedEvent = FeedMessageEvent | FeedErrorEvent;

/** Settings of a stream that goes on after a broken connection. */
export interface ResumeSettings extends CallSettings {
  /** Goes on behind the event with this id. */
  readonly lastEventId?: string;
}

/** The streams of the API, for `for await`. Leaving the loop closes the connection. */
export interface Streams {
  /** Yields the progress of a job until its event `done` or `error`. */
  job(jobId: string, settings?: ResumeSettings): AsyncGenerator<JobEvent, void, undefined>;
  /** Yields the steps and the answer of a research until its event `done` or `error`. */
  rover(jobId: string, settings?: ResumeSettings): AsyncGenerator<RoverEvent, void, undefined>;
  /** Yields an answer word by word; a broken connection is an error, since no one can go on. */
  chat(
    body: ChatStreamData['body'],
    settings?: CallSettings,
  ): AsyncGenerator<ChatEvent, void, undefined>;
  /** Yields the events of the tenant, without an end. */
  events(
    query?: NonNullable<FeedListData['query']>,
    settings?: ResumeSettings,
  ): AsyncGenerator<FeedEvent, void, undefined>;
}

/** Connections in a row that may break without an event. */
const MOST_BREAKS = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** The last events of streams that end. */
const LAST: ReadonlySet<string | undefined> = new Set(['done', 'error']);

/** Returns the streams over a transport. */
export function createStreams(transport: Transport): Streams {
  const job = { method: 'GET', path: '/jobs/{job_id}/stream' };
  const rover = { method: 'GET', path: '/rover/jobs/{rover_job_id}/stream' };
  const chat = { method: 'POST', path: '/chat/stream', body: 'json' } as const;
  const events = { method: 'GET', path: '/events' };
  const follow = <Event>(shape: OperationShape, input: AnyInput, settings: ResumeSettings = {}) =>
    resumed<Event>(transport, shape, { ...input, ...signalOf(settings) }, settings.lastEventId);
  return {
    job: (job_id, settings) => follow(job, { path: { job_id } }, settings),
    rover: (rover_job_id, settings) => follow(rover, { path: { rover_job_id } }, settings),
    chat: (body, settings = {}) =>
      once<ChatEvent>(transport, chat, { body, ...signalOf(settings) }),
    events: (query = {}, settings) => follow(events, { query }, settings),
  };
}

/** Yields the events of one connection. @throws ConnectionError if it ends too early. */
async function* once<Event>(
  transport: Transport,
  shape: OperationShape,
  input: AnyInput,
  onRetry: (milliseconds: number) => void = () => undefined,
): AsyncGenerator<Event, void, undefined> {
  const headers = { accept: 'text/event-stream', ...input.headers };
  const response = await transport.request(wireRequest(shape, { ...input, headers }, true));
  for await (const { event, id, data } of readEvents(response, onRetry)) {
    const decoded: unknown = JSON.parse(data);
    // The document describes the events of this stream.
    yield {
      ...(event !== undefined && { event }),
      ...(id !== undefined && { id }),
      data: decoded,
    } as Event;
    if (LAST.has(event)) return;
  }
  throw new ConnectionError('The stream ended before its last event');
}

/** Yields events over several connections: each goes on behind the last event seen. */
async function* resumed<Event>(
  transport: Transport,
  shape: OperationShape,
  input: AnyInput,
  from: string | undefined,
): AsyncGenerator<Event, void, undefined> {
  let lastId = from;
  let breaks = 0;
  let waitMs = FIRST_WAIT_MS;
  for (;;) {
    const headers = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
    try {
      const setWait = (milliseconds: number): void => {
        waitMs = Math.min(milliseconds, LONGEST_WAIT_MS);
      };
      for await (const event of once<Event>(transport, shape, { ...input, headers }, setWait)) {
        breaks = 0;
        lastId = (event as { readonly id?: string }).id ?? lastId;
        yield event;
        if (LAST.has((event as { readonly event?: string }).event)) return;
      }
    } catch (error) {
      breaks += 1;
      if (isApiError(error) || input.signal?.aborted || breaks > MOST_BREAKS) throw error;
      await pause(Math.min(waitMs * 2 ** (breaks - 1), LONGEST_WAIT_MS), input.signal);
    }
  }
}

function signalOf({ signal }: CallSettings): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
