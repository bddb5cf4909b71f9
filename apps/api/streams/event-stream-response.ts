import { Inject, Injectable, type MessageEvent } from '@nestjs/common';

import { isFootnoteError } from '#contracts';
import { LOGGER, type Logger } from '#platform';

import type { Caller } from '../auth/caller.js';
import { LiveCredentials } from '../auth/live-credentials.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { StreamConcurrency } from './stream-concurrency.js';

/** Interval of comment lines, which prevent proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;

export interface EventStreamOptions {
  readonly caller: Caller;
  readonly clientAborted: AbortSignal;
  /** Releases the slot of the stream. */
  readonly release: () => void;
  /**
   * The messages. They throw when the signal aborts: the client left, the process shuts down or
   * the credentials ended. Returning ends the stream without an error.
   */
  readonly messages: (signal: AbortSignal) => AsyncGenerator<MessageEvent, void>;
  /** Clients resume the stream by `Last-Event-ID`; otherwise they repeat the request. */
  readonly resumable: boolean;
  /** Fields of the log line about a failure. */
  readonly logFields: object;
}

/**
 * Server-sent events with a heartbeat. A stream ends with its client, its credentials and its
 * process, and reports every end but the first in an `error` frame.
 */
@Injectable()
export class EventStreamResponse {
  constructor(
    private readonly slots: StreamConcurrency,
    private readonly credentials: LiveCredentials,
    private readonly lifecycle: Lifecycle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Takes a slot of the tenant and returns the function that releases it. It is also released
   * when the client leaves, because nobody reads the messages of such a stream.
   * @throws FootnoteError `rate_limited`.
   */
  reserve({ tenantId }: Caller, clientAborted: AbortSignal): () => void {
    const release = this.slots.take(tenantId);
    clientAborted.addEventListener('abort', release, { once: true });
    if (clientAborted.aborted) release();
    return release;
  }

  /** Returns the messages of an open stream. */
  async *frames(options: EventStreamOptions): AsyncGenerator<MessageEvent> {
    const { caller, clientAborted, release, resumable } = options;
    const { draining } = this.lifecycle;
    const ended = new AbortController();
    const messages = options.messages(AbortSignal.any([clientAborted, draining, ended.signal]));
    const unwatch = this.credentials.watch(caller.principal, () => ended.abort());
    try {
      let next = messages.next();
      for (;;) {
        const message = await withinHeartbeat(next);
        if (message === 'waiting') yield { comment: 'keep-alive' };
        else if (message.done) return;
        else {
          yield message.value;
          next = messages.next();
        }
      }
    } catch (error) {
      if (!clientAborted.aborted) {
        yield this.endOf(caller, resumable) ?? this.failed(error, options);
      }
    } finally {
      unwatch();
      ended.abort();
      release();
      // A pending read ends by the signal; the response does not wait for it.
      void messages.return().catch(() => undefined);
    }
  }

  /** Returns the error frame of a stream that must end, if it must. */
  private endOf({ principal }: Caller, resumable: boolean): MessageEvent | undefined {
    if (this.lifecycle.draining.aborted) {
      return frame(
        resumable,
        'shutting_down',
        `The process is shutting down; ${nextStep(resumable)}`,
      );
    }
    if (!principal) return undefined;
    if (!this.credentials.isKnown(principal)) {
      const message = `The service is cut off from its event log; ${nextStep(resumable)}`;
      return frame(resumable, 'engine_unavailable', message);
    }
    if (this.credentials.isLive(principal)) return undefined;
    const message = 'The API key or session of this stream was revoked or has expired';
    return frame(resumable, 'unauthorized', message);
  }

  private failed(error: unknown, { resumable, logFields }: EventStreamOptions): MessageEvent {
    this.logger.warn({ err: error, ...logFields }, 'event stream: failed; closing it');
    return isFootnoteError(error)
      ? frame(resumable, error.code, error.message)
      : frame(resumable, 'internal_error', `The stream failed; ${nextStep(resumable)}`);
  }
}

async function withinHeartbeat<T>(next: Promise<T>): Promise<T | 'waiting'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'waiting'>((resolve) => {
    timer = setTimeout(() => resolve('waiting'), HEARTBEAT_MS);
  });
  try {
    return await Promise.race([next, late]);
  } finally {
    clearTimeout(timer);
  }
}

function nextStep(resumable: boolean): string {
  return resumable ? 'resume by Last-Event-ID' : 'repeat the request';
}

/** The frame of a resumable stream has an empty id, because clients cannot resume from an error. */
function frame(resumable: boolean, code: string, error: string): MessageEvent {
  return { type: 'error', data: { error, code }, ...(resumable ? { id: '' } : {}) };
}
