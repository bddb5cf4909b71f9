import type { FastifyInstance, FastifyRequest } from 'fastify';

import { FootnoteError, validationFailed } from '#contracts';

import { type JsonProblem, MAX_JSON_DEPTH, MAX_JSON_FIELDS, scanJson } from './json-scan.js';
import { keepPushBody } from './raw-push-body.js';

/** Largest JSON body in bytes. */
export const JSON_BODY_LIMIT = 1024 * 1024;
/** Error text for a larger body. */
export const bodyTooLarge = (limit: number) =>
  `The body is over the limit of ${limit.toLocaleString('en')} bytes`;
export const BODY_TOO_LARGE = bodyTooLarge(JSON_BODY_LIMIT);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Makes JSON in UTF-8 the only body that is read; every other content type is 415. */
export function useJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: JSON_BODY_LIMIT },
    async (request: FastifyRequest, bytes: Buffer) => {
      refuseOtherEncodings(request);
      return keepPushBody(request, bytes) ? undefined : parseJson(bytes);
    },
  );
}

/**
 * Parses a body. An empty one is undefined, as if none had been sent.
 * @throws FootnoteError `malformed_json`, or `validation_failed` for keys that no body may have.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  const problem = scanJson(text);
  if (problem) throw toError(problem);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FootnoteError('malformed_json', 'The body is not valid JSON', { cause: error });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new FootnoteError('malformed_json', 'The body is not valid UTF-8', { cause: error });
  }
}

function toError(problem: JsonProblem): FootnoteError {
  switch (problem.kind) {
    case 'too_deep':
      return new FootnoteError(
        'malformed_json',
        `The body is nested more than ${MAX_JSON_DEPTH} levels deep`,
      );
    case 'too_many_fields':
      return new FootnoteError(
        'malformed_json',
        `The body has more than ${MAX_JSON_FIELDS.toLocaleString('en')} fields`,
      );
    case 'duplicate_key':
      return new FootnoteError('malformed_json', 'The body has the same key twice in one object');
    case 'inherited_key':
      return validationFailed([{ field: problem.key, message: 'is not a known field' }]);
  }
}

function refuseOtherEncodings(request: FastifyRequest): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(
    request.headers['content-type'] ?? '',
  )?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new FootnoteError('unsupported_media_type', 'The charset of the body must be UTF-8');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new FootnoteError(
      'unsupported_media_type',
      'Content-Encoding must be absent: bodies must be uncompressed',
    );
  }
}
