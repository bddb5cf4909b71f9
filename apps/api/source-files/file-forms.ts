import type { Type } from '@nestjs/common';
import { type ApiResponseOptions, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import type { SourceFileQuery } from '#contracts/http/index';
import { namesText, textEtag } from '#platform/http/text-etag';

import { acceptsText } from '../edge/accepts-text.js';
import type { SourceFile } from './get-source-file.js';

/** Returns the description of an answer with a file; its lines have the given model. */
export function describedFile(lines: Type): ApiResponseOptions {
  return {
    description: 'Lines of the file; as `text/plain` its whole text.',
    headers: {
      ETag: { description: 'Hash of the text.', schema: { type: 'string' } },
      'X-Generation': { description: 'Generation of the text.', schema: { type: 'integer' } },
      'X-Exact': {
        description: 'Whether the text equals the fetched bytes.',
        schema: { type: 'boolean' },
      },
    },
    content: {
      'application/json': { schema: { $ref: getSchemaPath(lines) } },
      'text/plain': { schema: { type: 'string' } },
    },
  };
}

/** Reports whether a request wants the whole text in place of lines. */
export function wantsText(
  { format }: Pick<SourceFileQuery, 'format'>,
  accept: string | undefined,
): boolean {
  return format === 'text' || acceptsText(accept);
}

/**
 * Returns the whole text of a file and sets its headers.
 * @param known `If-None-Match` of the request: the same text is answered with 304.
 */
export function showText(
  { text, generation, differences }: SourceFile,
  known: string | undefined,
  reply: FastifyReply,
): string {
  const etag = textEtag(text);
  void reply.headers({
    etag,
    'cache-control': 'private, no-cache',
    'x-generation': generation.generation,
    'x-exact': String(differences.length === 0),
  });
  void reply.type('text/plain; charset=utf-8');
  if (!namesText(known, etag)) return text;
  void reply.status(304);
  return '';
}
