import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';

import { ERROR_CATALOGUE, type ErrorCode } from '#contracts';
import { ApiHarness } from '#test/support/api/api-harness';

import { OPENAPI_FILE, openApiText } from './write-openapi.js';

describe('the description of the API', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  });
  afterAll(() => api.stop());

  it('is committed as the code has it (else: npm run openapi)', async () => {
    expect(readFileSync(OPENAPI_FILE, 'utf8')).toBe(await openApiText());
  });

  it('is served, public, as OpenAPI 3.1', async () => {
    const { status, body } = await api.call<OpenAPIObject>('GET', '/openapi.json', undefined, {
      key: null,
    });
    expect([status, body.openapi]).toEqual([200, '3.1.0']);
    expect(body.components?.securitySchemes).toMatchObject({
      bearer: { scheme: 'bearer' },
      api_key: { in: 'header' },
    });
    expect(Object.keys(body.paths).sort()).toEqual(Object.keys(committed().paths).sort());
  });

  it('states the limits of the server wherever they hold, and each error as JSON', async () => {
    const { body } = await api.call<OpenAPIObject>('GET', '/openapi.json', undefined, {
      key: null,
    });
    for (const [path, item] of Object.entries(body.paths)) {
      for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
        if (!operation) continue;
        const statuses = Object.keys(operation.responses);
        expect([path, statuses]).toEqual([path, expect.arrayContaining(['431'])]);
        // The answer to a request without a body may be too large as well.
        const asksForMuch = JSON.stringify(resolved(body, operation.responses['413'])).includes(
          'package_too_large',
        );
        const hasLimit = operation.requestBody !== undefined || asksForMuch;
        expect([path, statuses.includes('413')]).toEqual([path, hasLimit]);
        for (const [status, response] of Object.entries(operation.responses)) {
          if (Number(status) < 400 || path.startsWith('/health')) continue;
          expect([path, status, resolved(body, response)]).toMatchObject([
            path,
            status,
            { content: { 'application/json': {} } },
          ]);
        }
      }
    }
  });

  it('describes the events of a stream, the ids it resumes from, and keys as credentials', async () => {
    const { body } = await api.call<OpenAPIObject>('GET', '/openapi.json', undefined, {
      key: null,
    });
    const stream = body.paths['/jobs/{job_id}/stream']?.get;
    const reported = JSON.stringify(stream?.responses['200']);
    expect(reported).toContain('"error":"#/components/schemas/JobErrorEvent"');
    expect(body.components?.schemas).toMatchObject({
      JobProgressEvent: {
        required: ['event', 'id', 'data'],
        properties: {
          event: { enum: ['progress'] },
          data: { $ref: '#/components/schemas/JobProgressView' },
        },
      },
      JobErrorEvent: { properties: { data: { $ref: '#/components/schemas/StreamErrorView' } } },
      JobProgressView: {},
      StreamErrorView: {},
    });
    const header = (stream?.parameters ?? []).find(
      (parameter) => 'name' in parameter && parameter.name === 'Last-Event-ID',
    );
    expect(header).toMatchObject({ schema: { pattern: '^[0-9]{1,15}$' } });
    expect(body.components?.securitySchemes?.['bearer']).toMatchObject({ bearerFormat: 'API key' });
  });

  it('names every error of every authenticated operation with an example', () => {
    for (const [path, item] of Object.entries(committed().paths)) {
      if (/^\/(health|metrics|$)/.test(path)) continue;
      for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
        if (!operation) continue;
        for (const status of ['400', '401', '500', '503'])
          expect(operation.responses).toHaveProperty(status);
        expect(JSON.stringify(resolved(committed(), operation.responses['401']))).toContain(
          '"code":"unauthorized"',
        );
        expect(operation.summary).toBeTruthy();
      }
    }
  });

  it('shares equal errors between operations, and names the codes of each', () => {
    const { paths, components } = committed();
    const unshared = Object.entries(paths).flatMap(([path, item]) =>
      Object.values(item as Record<string, { responses?: Record<string, object> }>).flatMap(
        ({ responses }) =>
          Object.entries(responses ?? {})
            .filter(([, response]) => JSON.stringify(response).includes('/ErrorView"'))
            .map(([status]) => `${path} ${status}`),
      ),
    );
    expect(unshared).toEqual([]);
    expect(components?.schemas?.['ErrorView']).toMatchObject({
      properties: { code: { enum: Object.keys(ERROR_CATALOGUE) } },
    });
    for (const [name, response] of Object.entries(components?.responses ?? {})) {
      const { content } = response as {
        content: Record<string, { schema: object; examples: Record<string, object> }>;
      };
      const { schema, examples } = content['application/json'] ?? { schema: {}, examples: {} };
      const codes = Object.keys(examples).sort();
      expect([name, schema]).toEqual([
        name,
        {
          allOf: [
            { $ref: '#/components/schemas/ErrorView' },
            {
              type: 'object',
              properties: { code: { type: 'string', enum: expect.arrayContaining(codes) } },
            },
          ],
        },
      ]);
      const status = Number(/^Error(\d+)/.exec(name)?.[1]);
      const { allOf } = schema as { allOf: { properties?: { code: { enum: ErrorCode[] } } }[] };
      for (const code of allOf[1]?.properties?.code.enum ?? [])
        expect([name, code, ERROR_CATALOGUE[code].status]).toEqual([name, code, status]);
      for (const code of codes)
        expect([name, examples[code]]).toMatchObject([name, { value: { code } }]);
    }
  });

  it('is sent compressed, and not again to a client that has it', async () => {
    const send = (headers: Record<string, string>) =>
      api.app.inject({ method: 'GET', url: '/openapi.json', headers });
    const whole = await send({});
    expect(whole.headers).not.toHaveProperty('content-encoding');
    for (const [accepted, coding, decoded] of [
      ['gzip, br', 'br', brotliDecompressSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const sent = await send({ 'accept-encoding': accepted });
      expect([accepted, sent.headers['content-encoding']]).toEqual([accepted, coding]);
      expect(decoded(sent.rawPayload).toString()).toBe(whole.payload);
    }
    const again = await send({ 'if-none-match': String(whole.headers.etag) });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
  });

  it('states which fields are required', () => {
    const schemas = committed().components?.schemas as Record<
      string,
      { required?: string[]; properties: object }
    >;
    expect(schemas['CreateSourceBody']?.required).toEqual(['name', 'source_type', 'url']);
    expect(schemas['UpdateSourceBody']).not.toHaveProperty('required');
    expect(schemas['SearchBody']?.required).toEqual(['query']);
    expect(schemas['SearchBody']?.properties).toMatchObject({
      top_k: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      max_tokens: { default: 4000, maximum: 32_000 },
    });
  });

  it('resolves each reference, and closes each body to fields that it does not name', () => {
    const { paths, components } = committed();
    const schemas = components?.schemas as Record<string, object>;
    const known = new Set(
      Object.entries({ schemas, responses: components?.responses ?? {} }).flatMap(([kind, named]) =>
        Object.keys(named).map((name) => `#/components/${kind}/${name}`),
      ),
    );
    const references = [
      ...JSON.stringify({ paths, components }).matchAll(/"\$ref":"([^"]*)"/g),
    ].map(([, to]) => to ?? '');
    expect(references.filter((to) => !known.has(to))).toEqual([]);
    const bodies = Object.keys(schemas).filter(
      (name) => name.endsWith('Body') && !name.startsWith('Error'),
    );
    expect(bodies).toEqual(
      expect.arrayContaining(['SearchBody', 'UpdatePolicyBody', 'SourcePrioritiesBody']),
    );
    for (const name of bodies)
      expect([name, schemas[name]]).toEqual([
        name,
        expect.objectContaining({ additionalProperties: false }),
      ]);
  });

  it('can be read at /docs, with files of its own and no other host', async () => {
    const page = await api.call('GET', '/docs', undefined, { key: null });
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    const paths = [...page.text.matchAll(/(?:src|href)="\.(\/docs\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.filter((path) => /\.(?:js|css)$/.test(path)).length).toBeGreaterThan(1);
    for (const path of paths) {
      const file = await api.call('GET', path, undefined, { key: null });
      expect([path, file.status]).toEqual([path, 200]);
    }
    const slash = await api.call('GET', '/docs/', undefined, { key: null });
    expect([slash.status, slash.headers['location']]).toEqual([308, '../docs']);
    expect(page.text).not.toMatch(/<script>(?!\s*<\/script>)/);
  });
});

/** Returns the response that a reference names, or the given one. */
function resolved({ components }: OpenAPIObject, response: unknown): unknown {
  const { $ref } = (response ?? {}) as { $ref?: string };
  if ($ref === undefined) return response ?? {};
  return components?.responses?.[$ref.replace('#/components/responses/', '')];
}

function committed(): OpenAPIObject {
  return JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenAPIObject;
}
