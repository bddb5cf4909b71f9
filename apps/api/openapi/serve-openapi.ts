import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { namesText, textEtag } from '#platform/http/text-etag';

import { openApiDocument } from './document.js';

const DOCUMENT_PATH = '/openapi.json';

/** Serves `/openapi.json`; the page at `/docs` reads it. */
export function serveOpenApi(app: NestFastifyApplication, publicUrl: string | undefined): void {
  let document: OpenAPIObject | undefined;
  const described = (): OpenAPIObject => (document ??= openApiDocument(app, publicUrl));
  let text: Promise<CompressedText> | undefined;
  app
    .getHttpAdapter()
    .getInstance()
    .get(DOCUMENT_PATH, async (request: FastifyRequest, reply: FastifyReply) => {
      text ??= compressed(JSON.stringify(described()));
      return answer(request, reply, await text);
    });
}

interface CompressedText {
  /** ETag of the text, sent as a weak one: each coding has other bytes. */
  readonly etag: string;
  /** Best coding first; the last is the text itself. */
  readonly codings: readonly (readonly [coding: string, bytes: Buffer])[];
}

async function compressed(text: string): Promise<CompressedText> {
  const bytes = Buffer.from(text);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, quality),
    promisify(gzip)(bytes),
  ]);
  return {
    etag: textEtag(text),
    codings: [
      ['br', br],
      ['gzip', gz],
      ['identity', bytes],
    ],
  };
}

function answer(request: FastifyRequest, reply: FastifyReply, { etag, codings }: CompressedText) {
  void reply
    .header('etag', `W/${etag}`)
    .header('cache-control', 'public, no-cache')
    .header('vary', 'accept-encoding')
    .type('application/json; charset=utf-8');
  if (namesText(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const accepted = acceptedCodings(request.headers['accept-encoding']);
  const best = codings.find(([coding]) => coding === 'identity' || accepted.has(coding));
  if (!best) throw new Error('The text itself is always acceptable');
  const [coding, bytes] = best;
  if (coding !== 'identity') void reply.header('content-encoding', coding);
  return reply.send(bytes);
}

/** Returns the codings of an `Accept-Encoding` header that are not excluded by `q=0`. */
function acceptedCodings(header: string | string[] | undefined): ReadonlySet<string> {
  const named = String(header ?? '')
    .slice(0, 1_000)
    .split(',')
    .map((part) => part.toLowerCase().split(';'))
    .map(([coding = '', weight]) => [coding.trim(), weight?.trim()] as const)
    .filter(([, weight]) => weight === undefined || !/^q=0(?:\.0*)?$/u.test(weight));
  return new Set(named.map(([coding]) => coding));
}
