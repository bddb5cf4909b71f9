import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

import { API_VERSION } from '#contracts';

import { problemResponse } from './problem-responses.js';
import { withRequestExamples } from './request-examples.js';
import { withSharedResponses } from './shared-responses.js';
import { withStreamEvents } from './stream-events.js';

/** The OpenAPI 3.1 description of every endpoint, from the controllers and DTOs. */
export function openApiDocument(app: INestApplication, publicUrl?: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Footnote')
    .setDescription(
      'Cited search over repositories, docs and packages, with a trust policy. Every error has the body `{error, code, details?, request_id}`; the codes stand in docs/errors.md. With the cookie of a session any request may also answer 401 `role_missing`, and one that may change something 401 `csrf_invalid`. A client reads its own writes; what another process wrote (keys, policy, published versions) is seen within a second.',
    )
    .setVersion(API_VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addTag('sources', 'What is indexed.')
    .addTag('jobs', 'Syncs in the background.')
    .addTag('search', 'Cited answers.')
    .addTag('packages', 'Searching packages of public registries, and linking them.')
    .addTag('agents', 'Tools for agents, by the Model Context Protocol.')
    .addTag('keys', 'API keys.')
    .addTag('people', 'Accounts, sessions, members and invitations.')
    .addTag('policy', 'How much to trust what was found.')
    .addTag('webhooks', 'Endpoints that receive the events of the tenant.')
    .addTag('tenant', 'The tenant itself.')
    .addTag('operation', 'Health and metrics; public.')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: 'An API key.' },
      'bearer',
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
      'api_key',
    )
    .addCookieAuth(
      'footnote_session',
      {
        type: 'apiKey',
        in: 'cookie',
        description:
          'The session of a signed-in person; unsafe requests echo its CSRF token in X-CSRF-Token. Over https the name has the prefix `__Host-`.',
      },
      'session',
    )
    .addSecurityRequirements('bearer')
    .addSecurityRequirements('api_key')
    .addSecurityRequirements('session');
  if (publicUrl !== undefined) builder.addServer(publicUrl);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) =>
      `${controller.replace(/Controller$/, '').toLowerCase()}_${method}`,
  });
  return withSharedResponses(
    withRequestExamples(
      withLimits(
        withClosedBodies(withPublicOperations(withNamedParameters(withStreamEvents(document)))),
      ),
    ),
  );
}

/** Removes the parameters that Nest derives from wildcards: each has a named one. */
function withNamedParameters(document: OpenAPIObject): OpenAPIObject {
  for (const { get } of Object.values(document.paths)) {
    if (!get?.parameters) continue;
    get.parameters = get.parameters.filter((each) => !('name' in each) || each.name !== '*');
  }
  return document;
}

/** Routes for unauthenticated senders. */
const PUBLIC_POSTS = ['/auth/register', '/auth/login', '/auth/accept'];
/** The catalogue of packages is public. */
const CATALOGUE = '/packages/global';

/** Operations that need no credentials say so. */
function withPublicOperations(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    const isPublicPost = path.endsWith('/hooks/push') || PUBLIC_POSTS.includes(path);
    if (isPublicPost && item.post) item.post.security = [];
    if (/^\/auth\/(methods$|oidc\/)/.test(path) && item.get) item.get.security = [];
    if (
      !path.startsWith('/health/') &&
      path !== '/metrics' &&
      path !== '/' &&
      path !== '/asyncapi.json' &&
      !path.startsWith('/.well-known/') &&
      !path.startsWith('/schemas/') &&
      !path.startsWith(CATALOGUE)
    )
      continue;
    if (item.get) item.get.security = [];
  }
  return document;
}

/**
 * The limits of the server itself: of the head for every request, of the body wherever one is
 * taken.
 */
function withLimits(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      if (!operation) continue;
      operation.responses['431'] ??= problemResponse('headers_too_large');
      if (operation.requestBody) operation.responses['413'] ??= problemResponse('body_too_large');
    }
  }
  return document;
}

/** A body with a field that its schema does not name is refused, and the schema says so. */
function withClosedBodies(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const close = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const schema =
      schemas[String((part as Schema).$ref ?? '').replace('#/components/schemas/', '')];
    if (schema && schema.additionalProperties !== false) {
      schema.additionalProperties = false;
      close(schema);
    }
    Object.values(part).forEach(close);
  };
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.post, item.put, item.patch, item.delete])
      close(operation?.requestBody);
  }
  return document;
}

interface Schema {
  $ref?: string;
  additionalProperties?: boolean;
}
