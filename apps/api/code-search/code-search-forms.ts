import { Injectable, type StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { validationFailed } from '#contracts';
import { type CodeSearchResponseView, MOST_COLLECTED_CODE_LINES } from '#contracts/http/index';
import type { CodeSearchRequest } from '#search';

import type { Caller } from '../auth/caller.js';
import { acceptsText } from '../edge/accepts-text.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { receipted } from '../search/receipt/show-receipt.js';
import {
  acceptsEventStream,
  EVENT_STREAM_HEADERS,
  eventStreamBody,
} from '../streams/event-stream-body.js';
import { CodeSearchStream, type RunCodeSearch } from './code-search-stream.js';
import { codeText } from './code-text.js';
import { CodeTextStream } from './code-text-stream.js';
import { isLongCodeAnswer } from './long-code-answer.js';

/** JSON, an event stream, or text. */
export type CodeSearchAnswer<View> = View | StreamableFile | string;

/** The form that a client accepts, and where its answer goes. */
export interface Exchange {
  readonly accept: string | undefined;
  /** Aborts when the client closes the request. */
  readonly gone: AbortSignal;
  readonly reply: FastifyReply;
}

/** The part of a request that decides how long its answer may be. */
type AnswerLimits = Pick<CodeSearchRequest, 'limit' | 'max_tokens'>;

/** Answers code searches in the form that `Accept` chooses. */
@Injectable()
export class CodeSearchForms {
  constructor(
    private readonly streams: CodeSearchStream,
    private readonly texts: CodeTextStream,
  ) {}

  /**
   * Long answers are text that is sent while it is found.
   * @throws FootnoteError as the search does, of a stream only before its first file;
   * `validation_failed` for a long answer in another form.
   */
  async answer<View extends CodeSearchResponseView>(
    caller: Caller,
    request: AnswerLimits,
    search: RunCodeSearch<View>,
    { accept, gone, reply }: Exchange,
  ): Promise<CodeSearchAnswer<View>> {
    if (isLongCodeAnswer(request)) {
      if (!acceptsText(accept)) throw tooLong();
      return this.texts.open(caller, search, gone);
    }
    if (acceptsEventStream(accept)) {
      const messages = await this.streams.open(caller, search, gone);
      void reply.headers(EVENT_STREAM_HEADERS);
      return eventStreamBody(messages);
    }
    const found: Receipted<View> = await search({ gone });
    const answer = receipted(found, reply);
    if (!acceptsText(accept)) return answer;
    void reply.type('text/plain; charset=utf-8');
    return codeText(answer);
  }
}

function tooLong() {
  const most = MOST_COLLECTED_CODE_LINES.toLocaleString('en-US');
  const message = `must be at most ${most} unless the request accepts text/plain`;
  return validationFailed([{ field: 'limit', message }]);
}
