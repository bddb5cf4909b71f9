import type { FastifyRequest } from 'fastify';

/** Reports whether a request's headers announce no body, by length or by transfer coding. */
export function hasNoBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return length === '0' && coding === undefined;
}
