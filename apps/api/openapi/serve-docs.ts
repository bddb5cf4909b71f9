import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

import { openApiDocument } from './document.js';

/**
 * Serves `/openapi.json` and, at `/docs`, a page to read and try the API; its files come from the
 * installed packages.
 */
export function serveDocs(app: NestFastifyApplication, publicUrl: string | undefined): void {
  let document: OpenAPIObject | undefined;
  SwaggerModule.setup('docs', app, () => (document ??= openApiDocument(app, publicUrl)), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Footnote API',
    swaggerOptions: { persistAuthorization: false },
  });
}
