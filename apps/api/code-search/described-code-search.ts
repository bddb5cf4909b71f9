import type { Type } from '@nestjs/common';
import { type ApiResponseOptions, getSchemaPath } from '@nestjs/swagger';

import { CodeFileView, StreamErrorView } from '#contracts/http/index';

import { CODE_RECEIPT_HEADERS } from '../openapi/receipt-headers.js';
import { streamOf } from '../streams/stream-schema.js';

/** The models of an answer, and of the end of its stream. */
interface CodeSearchModels {
  readonly answer: Type;
  readonly end: Type;
}

/** Returns the description of an answer; each operation needs its own. */
export function describedCodeSearch({ answer, end }: CodeSearchModels): ApiResponseOptions {
  const stream = streamOf([
    { title: 'CodeFileEvent', event: 'file', data: CodeFileView, id: 'never' },
    { title: 'CodeSearchDoneEvent', event: 'done', data: end, id: 'never' },
    { title: 'CodeSearchErrorEvent', event: 'error', data: StreamErrorView, id: 'never' },
  ]);
  return {
    description:
      'Matching lines by file; as `text/plain` with `path:line:text` for each line; as ' +
      '`text/event-stream` a `file` event for each file once it is found, then `done`.',
    headers: CODE_RECEIPT_HEADERS,
    content: {
      'application/json': { schema: { $ref: getSchemaPath(answer) } },
      'text/plain': { schema: { type: 'string' } },
      'text/event-stream': { schema: stream },
    },
  };
}
