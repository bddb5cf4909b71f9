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
export interface WebUiOptions extends BuiltPages {
  /** Its path is the prefix under which a proxy shows the service. */
  readonly publicUrl: string | undefined;
}

/** The built pages. */
export interface BuiltPages {
  /** Absolute path of `dist/web`. */
  readonly folder: string;
  readonly logger: Logger;
}

/** Serves the page for people at `/ui/`. */
export function serveWebUi(server: FastifyInstance, options: WebUiOptions): void {
  const { publicUrl } = options;
  server.get('/ui', (_request, reply) => reply.redirect(webUiPath(publicUrl), 308));
  servePage(server, options, { at: '/ui/', file: 'index.html', assets: '/ui/assets/' });
}

/** Serves the page of the API at `/docs`, with files of its own, so that it needs no other page. */
export function serveApiPage(server: FastifyInstance, pages: BuiltPages): void {
  server.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
  servePage(server, pages, { at: '/docs', file: 'docs.html', assets: '/docs/assets/' });
}

/**
 * Serves a built page. Its assets carry a hash in their names, so browsers keep them for a year;
 * the build has compressed them. Browsers validate the page itself at each visit. Without a built
 * page the routes answer 404, and the log reports it.
 */
function servePage(
  server: FastifyInstance,
  { folder, logger }: BuiltPages,
  { at, file, assets }: { readonly at: string; readonly file: string; readonly assets: string },
): void {
  const path = join(folder, file);
  if (!existsSync(path)) {
    logger.warn({ folder }, `web page: not built; ${at} answers 404 until the next build`);
    const missing = () => {
      throw new FootnoteError('not_found', 'The web page is not built; run npm run build');
    };
    server.get(at, missing);
    server.get(`${assets}*`, missing);
    return;
  }
  // Relative to the page, so that they work below any path prefix.
  const base = at.endsWith('/') ? './' : `.${at}/`;
  const html = readFileSync(path, 'utf8').replaceAll('"./assets/', `"${base}assets/`);
  const etag = textEtag(html);
  server.get(at, (request: FastifyRequest, reply: FastifyReply) => {
    void reply.header('etag', etag).header('cache-control', 'no-cache');
    if (namesText(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('text/html; charset=utf-8').send(html);
  });
  void server.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: assets,
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  });
}
