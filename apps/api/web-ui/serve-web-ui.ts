import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { fastifyStatic } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { FootnoteError } from '#contracts';
import type { Logger } from '#platform';
import { namesText, textEtag } from '#platform/http/text-etag';

import { webUiPath } from './web-ui-path.js';

/** The files that the build makes of `apps/web`: `dist/web`. */
export const WEB_UI_FOLDER = fileURLToPath(new URL('../../../web', import.meta.url));

/** Options of {@link serveWebUi}. */
export interface WebUiOptions {
  /** Absolute path of the built page. */
  readonly folder: string;
  /** Its path is the prefix under which a proxy shows the service. */
  readonly publicUrl: string | undefined;
  readonly logger: Logger;
}

/**
 * Serves the page for people at `/ui/`. Files under `/ui/assets/` carry a hash in their names, so
 * browsers keep them for a year; the build has compressed them. Browsers validate the page itself
 * at each visit. Without a built page the routes answer 404, and the log reports it.
 */
export function serveWebUi(server: FastifyInstance, options: WebUiOptions): void {
  const { folder, publicUrl, logger } = options;
  server.get('/ui', (_request, reply) => reply.redirect(webUiPath(publicUrl), 308));
  const file = join(folder, 'index.html');
  if (!existsSync(file)) {
    logger.warn({ folder }, 'web page: not built; /ui/ answers 404 until the next build');
    const missing = () => {
      throw new FootnoteError('not_found', 'The web page is not built; run npm run build');
    };
    server.get('/ui/', missing);
    server.get('/ui/assets/*', missing);
    return;
  }
  const html = readFileSync(file, 'utf8');
  const etag = textEtag(html);
  server.get('/ui/', (request: FastifyRequest, reply: FastifyReply) => {
    void reply.header('etag', etag).header('cache-control', 'no-cache');
    if (namesText(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('text/html; charset=utf-8').send(html);
  });
  void server.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/ui/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  });
}
