import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { httpOf } from '#test/support/api/http-client';

/** The part of JSON Schema that the API's description uses for bodies. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
}

interface Operation {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One byte, three bytes, and two code units a character; what ends up in JSON as an escape. */
const CHARACTERS = ['x', '数', '😀', '"'] as const;

/** No registry is asked. */
const NOBODY = 'http://127.0.0.1:9';

/** Fields whose values have a form that the description does not state. */
const FORMS: Readonly<Record<string, (most: number, character: string) => string>> = {
  url: (most, character) => `https://example.com/${path(most - 20, character)}`,
  doc_urls: (most, character) => `https://example.com/${path(most - 20, character)}`,
};

describe('the largest request that the description allows', () => {
  let api: ApiHarness;
  let http: Awaited<ReturnType<typeof httpOf>>;
  let description: Description;
  beforeAll(async () => {
    api = await ApiHarness.start({
      environment: { RATE_LIMIT_ADDRESS: '0', NPM_REGISTRY_URL: NOBODY, PYPI_URL: NOBODY },
    });
    http = await httpOf(api);
    description = (await http.get('/openapi.json').expect(200)).body as Description;
  });
  afterAll(() => api.stop());

  const resolved = (schema: Schema): Schema => {
    const [only] = schema.allOf ?? schema.oneOf ?? [];
    if (only) return resolved(only);
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : resolved(description.components.schemas[name] ?? {});
  };

  function largest(given: Schema, name: string, character: string): unknown {
    const schema = resolved(given);
    if (schema.enum) return schema.enum.at(-1);
    switch (schema.type) {
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([field, part]) => [
            field,
            largest(part, field, character),
          ]),
        );
      case 'array':
        return Array.from({ length: Math.min(schema.maxItems ?? 1, 1_000) }, () =>
          largest(schema.items ?? {}, name, character),
        );
      case 'integer':
      case 'number':
        return schema.maximum ?? 1;
      case 'boolean':
        return true;
      default: {
        if (schema.format === 'date-time') return '9999-12-31T23:59:59.999Z';
        if (schema.format === 'uuid') return unknownId();
        const most = schema.maxLength ?? 36;
        return FORMS[name]?.(most, character) ?? character.repeat(most);
      }
    }
  }

  it('never leads to an event that the log rejects', async () => {
    const source = await api.createSource();
    const internal: string[] = [];
    let sent = 0;
    for (const [template, operations] of Object.entries(description.paths)) {
      for (const [method, { requestBody }] of Object.entries(operations)) {
        const schema = requestBody?.content['application/json']?.schema;
        if (!schema || template === '/tenant') continue;
        const url = template.replace('{source_id}', source).replace(/\{\w+\}/g, unknownId());
        for (const character of CHARACTERS) {
          const body = largest(schema, '', character) as Record<string, unknown>;
          // Each field alone as well: together, one that is refused would hide the others.
          for (const part of [body, ...Object.keys(body).map((field) => withOnly(body, field))]) {
            const answer =
              await http[method as 'post' | 'put' | 'patch' | 'delete'](url).send(part);
            sent += 1;
            if (answer.status === 500)
              internal.push(`${method} ${template} ${answer.status} ${Object.keys(part).join()}`);
          }
        }
      }
    }
    expect([...new Set(internal)]).toEqual([]);
    expect(sent).toBeGreaterThan(200);
  });

  it.each(CHARACTERS)(
    'registers and changes a source of every type up to its limits: %s',
    async (character) => {
      const text = (most: number) => character.repeat(most);
      const patterns = { include_patterns: Array.from({ length: 50 }, () => text(100)) };
      const url = `https://example.com/${path(400, character)}`;
      const sources = [
        { source_type: 'repo', url, branch: 'b'.repeat(200), ...patterns },
        {
          source_type: 'docs',
          url,
          doc_urls: Array.from({ length: 20 }, () => url),
          use_sitemap: true,
        },
        {
          source_type: 'docs',
          docs_format: 'openapi',
          url,
          doc_version_label: text(100),
          ...patterns,
        },
        { source_type: 'pdf', url, ...patterns },
      ];
      const statuses: number[] = [];
      for (const source of sources) {
        const made = await http
          .post('/sources')
          .send({ name: text(200), sync_interval_seconds: 31_536_000, ...source });
        statuses.push(made.status);
        if (made.status !== 201) continue;
        const { id } = made.body as { id: string };
        await http
          .patch(`/sources/${id}`)
          .send({ name: `${text(199)}y`, exclude_patterns: ['y'] })
          .expect(200);
        await http.post(`/sources/${id}/sync`).expect(200);
      }
      // One that the rules of its type reject is answered 400; most are made.
      expect(statuses.filter((status) => status !== 201 && status !== 400)).toEqual([]);
      expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(1);
    },
  );
});

/** The body with one of its fields besides those that a request needs. */
function withOnly(body: Readonly<Record<string, unknown>>, field: string): Record<string, unknown> {
  const { name, source_type, query } = body;
  const needed = { ...(name !== undefined && { name }), ...(query !== undefined && { query }) };
  return {
    ...needed,
    ...(source_type !== undefined && { source_type, url: 'https://example.com/a' }),
    [field]: body[field],
  };
}

/** A path of so many characters, without those that no URL takes. */
function path(most: number, character: string): string {
  return (character === '"' ? 'y' : character).repeat(most);
}
