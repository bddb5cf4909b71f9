import type { Socket } from 'node:net';

import { FootnoteError } from '#contracts';
import { uuidv7 } from '#platform';

import { errorAnswer } from './error-answer.js';

/**
 * Answers what the HTTP parser itself refuses (broken head, head too large, too slow) in the one
 * error shape.
 */
export function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = uuidv7();
  const { status, body } = errorAnswer(toKnown(error.code), requestId);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroySoon());
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function toKnown(code: string | undefined): FootnoteError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new FootnoteError('headers_too_large', 'The request head is over the limit');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new FootnoteError('request_timeout', 'The request took too long to arrive');
  }
  return new FootnoteError('bad_request', 'The request line or a header cannot be read');
}
