import { Readable } from 'node:stream';

import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import { CLOCK, type Clock, LOGGER, type Logger } from '#platform';

import type { Caller } from '../auth/caller.js';
import { LiveCredentials } from '../auth/live-credentials.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import type { RunningExport } from '../recorded-reads/trail-exports.js';

/** A client that reads nothing for this time is disconnected. */
const STALLED_MS = 60_000;
/** Interval of the checks of credentials and of the client. */
const CHECK_MS = 500;
/** Bytes that wait for a slow client. */
const MAX_WAITING = 128 * 1024;

/** One export that is sent to a client. */
export interface SentExport {
  readonly caller: Caller;
  readonly running: RunningExport;
  /** Releases the slot of the export. */
  readonly release: () => void;
  /** Returns the chunks; they end when the signal aborts. */
  readonly chunks: (signal: AbortSignal, onRecord: () => void) => AsyncIterable<Buffer>;
}

/**
 * Streams an export at the pace of its client. It ends early with the client, its credentials and
 * the process; a broken connection shows the client that the export is incomplete.
 */
@Injectable()
export class ExportStream {
  constructor(
    private readonly credentials: LiveCredentials,
    private readonly lifecycle: Lifecycle,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns the stream; its close records the end of the export. */
  open({ caller, running, release, chunks }: SentExport): Readable {
    const closed = new AbortController();
    let records = 0;
    let waitingSince: number | null = null;
    const { clock } = this;
    const watched = async function* () {
      for await (const chunk of chunks(closed.signal, () => (records += 1))) {
        waitingSince = clock.monotonic();
        yield chunk;
        waitingSince = null;
      }
    };
    const stream = Readable.from(watched(), { objectMode: false, highWaterMark: MAX_WAITING });
    const watch = setInterval(() => {
      const isStalled = waitingSince !== null && clock.monotonic() - waitingSince > STALLED_MS;
      const problem = isStalled ? 'The client stopped reading' : this.problemOf(caller);
      if (problem) stream.destroy(new FootnoteError('engine_unavailable', problem));
    }, CHECK_MS);
    stream.once('error', (error) => {
      const fields = { err: error, request_id: caller.requestId, export_id: running.exportId };
      this.logger.warn(fields, 'audit: an export ended early; closing its connection');
    });
    stream.once('close', () => {
      clearInterval(watch);
      closed.abort();
      release();
      const end = stream.readableEnded ? 'completed' : stream.errored ? 'failed' : 'client_aborted';
      void running.end(records, end);
    });
    return stream;
  }

  private problemOf({ principal }: Caller): string | null {
    if (this.lifecycle.draining.aborted) return 'The process is shutting down';
    if (!principal) return null;
    if (!this.credentials.isKnown(principal)) return 'The service is cut off from its event log';
    return this.credentials.isLive(principal) ? null : 'The credentials were revoked or expired';
  }
}
