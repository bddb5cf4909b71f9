import { Injectable, type MessageEvent } from '@nestjs/common';

import type { CodeFileView, CodeSearchResponseView } from '#contracts/http/index';
import type { CodeSearchLimits } from '#search';

import type { Caller } from '../auth/caller.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { EventStreamResponse } from '../streams/event-stream-response.js';
import { Signal } from '../streams/signal.js';

/** Longest wait for a file before the stream looks at the end of the search again. */
const WAIT_MS = 1_000;

/** A code search that an adapter starts, with the limits of its transport. */
export type RunCodeSearch<View extends CodeSearchResponseView = CodeSearchResponseView> = (
  limits: Pick<CodeSearchLimits, 'gone' | 'ended' | 'onFile' | 'onText'>,
) => Promise<Receipted<View>>;

/** A search in progress: its files so far, and its end. */
interface Running {
  readonly files: CodeFileView[];
  readonly found: Signal;
  readonly answer: Promise<Receipted<CodeSearchResponseView>>;
  isOver: boolean;
}

/**
 * A code search as server-sent events: `file` for each file once it is found. At the end `done` has
 * the rest of the answer and its receipt; a failure is an `error`. A client that leaves ends the
 * search. What it received is charged and receipted like a search that a deadline ended.
 */
@Injectable()
export class CodeSearchStream {
  constructor(private readonly response: EventStreamResponse) {}

  /**
   * Resolves when the first file is found or the search is over.
   * @throws FootnoteError as a search does that fails before its first file, or `rate_limited`.
   */
  async open(
    caller: Caller,
    search: RunCodeSearch,
    clientAborted: AbortSignal,
  ): Promise<AsyncIterable<MessageEvent>> {
    const release = this.response.reserve(caller, clientAborted);
    const ended = new AbortController();
    const running = start(search, AbortSignal.any([clientAborted, ended.signal]));
    try {
      await Promise.race([running.answer, firstFile(running)]);
    } catch (error) {
      release();
      throw error;
    }
    return this.response.frames({
      caller,
      clientAborted,
      release,
      messages: (signal) => {
        signal.addEventListener('abort', () => ended.abort(), { once: true });
        return messagesOf(running, signal);
      },
      resumable: false,
      logFields: { code_search_of: caller.tenantId },
    });
  }
}

/** Starts a search that collects its files. */
function start(search: RunCodeSearch, ended: AbortSignal): Running {
  const files: CodeFileView[] = [];
  const found = new Signal(ended);
  const onFile = (file: CodeFileView): void => {
    files.push(file);
    found.ring();
  };
  const answer = search({ ended, onFile });
  const running: Running = { files, found, answer, isOver: false };
  const over = (): void => {
    running.isOver = true;
    found.ring();
  };
  answer.then(over, over);
  return running;
}

/** Waits for the first file, or for the end of the search. */
async function firstFile(running: Running): Promise<void> {
  while (running.files.length === 0 && !running.isOver) await running.found.wait(WAIT_MS);
}

async function* messagesOf(
  running: Running,
  signal: AbortSignal,
): AsyncGenerator<MessageEvent, void> {
  const { files, found } = running;
  for (;;) {
    signal.throwIfAborted();
    const file = files.shift();
    if (file) yield { type: 'file', data: file };
    else if (running.isOver) break;
    else await found.wait(WAIT_MS);
  }
  const { answer, receiptId } = await running.answer;
  yield { type: 'done', data: { ...answer, files: undefined, receipt_id: receiptId } };
}
