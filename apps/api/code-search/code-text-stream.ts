import { Readable } from 'node:stream';

import { Inject, Injectable, StreamableFile } from '@nestjs/common';

import { isFootnoteError } from '#contracts';
import type { CodeSearchResponseView } from '#contracts/http/index';
import { LOGGER, type Logger } from '#platform';

import type { Caller } from '../auth/caller.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { EventStreamResponse } from '../streams/event-stream-response.js';
import type { RunCodeSearch } from './code-search-stream.js';
import { codeTextEnd } from './code-text.js';
import { SentText } from './sent-text.js';

/**
 * A code search as text that is sent while it is found. The last line names the receipt; a failure
 * after the first line is a line `# error`. A client that leaves ends the search. What it received
 * is charged and receipted like a search that a deadline ended.
 */
@Injectable()
export class CodeTextStream {
  constructor(
    private readonly response: EventStreamResponse,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves when the first line is found or the search is over.
   * @throws FootnoteError as a search does that fails before its first line, or `rate_limited`.
   */
  async open(
    caller: Caller,
    search: RunCodeSearch,
    clientAborted: AbortSignal,
  ): Promise<StreamableFile> {
    const release = this.response.reserve(caller, clientAborted);
    const ended = new AbortController();
    const until = AbortSignal.any([clientAborted, ended.signal]);
    const text = new SentText(until);
    const answer = search({ ended: until, onText: text });
    answer.catch(() => undefined).finally(() => text.end());
    try {
      await Promise.race([answer, text.next()]);
    } catch (error) {
      release();
      throw error;
    }
    const close = (): void => {
      ended.abort();
      release();
    };
    const body = Readable.from(this.parts(text, answer, close), { objectMode: false });
    return new StreamableFile(body, { type: 'text/plain; charset=utf-8' });
  }

  private async *parts(
    text: SentText,
    answer: Promise<Receipted<CodeSearchResponseView>>,
    close: () => void,
  ): AsyncGenerator<Uint8Array | string, void> {
    try {
      for (let part = await text.next(); part; part = await text.next()) {
        yield part;
        text.shift();
      }
      yield await this.endOf(text, answer);
    } finally {
      close();
    }
  }

  private async endOf(
    { files }: SentText,
    answer: Promise<Receipted<CodeSearchResponseView>>,
  ): Promise<string> {
    try {
      const found = await answer;
      return `${codeTextEnd(found.answer, files)}# receipt ${found.receiptId}\n`;
    } catch (error) {
      this.logger.warn({ err: error }, 'code search: failed; ending its text');
      return isFootnoteError(error)
        ? `# error ${error.code}: ${error.message}\n`
        : '# error internal_error: The search failed; repeat the request\n';
    }
  }
}
