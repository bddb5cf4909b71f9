import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';

import { CHUNK_CHARACTERS } from './layout.js';
import { readSpec, type ReadSpecOptions } from './read-spec.js';
import type { RenderedPart } from './rendered-part.js';

const OPTIONS: ReadSpecOptions = { include: [], exclude: [], maxParts: 1_000 };
const JSON_BODY = (schema: unknown) => ({ content: { 'application/json': { schema } } });

const PETS = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1.10', description: '# Welcome\n\nAll about pets.' },
  servers: [{ url: 'https://pets.example/v2' }],
  paths: {
    '/pets/{petId}': {
      parameters: [
        { $ref: '#/components/parameters/PetId' },
        { name: 'verbose', in: 'query', schema: { type: 'boolean' }, description: 'From the path' },
      ],
      get: {
        operationId: 'getPet',
        summary: 'One pet',
        description: 'Finds it.\n\n## Notes\n\nBy its id.',
        parameters: [
          {
            name: 'verbose',
            in: 'query',
            required: true,
            schema: { type: 'integer', minimum: 0, maximum: 3 },
          },
        ],
        responses: {
          200: { description: 'The pet', ...JSON_BODY({ $ref: '#/components/schemas/Pet' }) },
          404: { $ref: '#/components/responses/Missing' },
        },
      },
      put: {
        requestBody: { required: true, ...JSON_BODY({ $ref: '#/components/schemas/Pet' }) },
        responses: { 204: { description: '' } },
      },
    },
  },
  components: {
    parameters: {
      PetId: {
        name: 'petId',
        in: 'path',
        required: true,
        description: 'Which\none',
        schema: { type: 'string' },
      },
    },
    responses: { Missing: { description: 'No such pet' } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 40, description: 'What it is called' },
          born: { type: 'string', format: 'date', nullable: true },
          kind: { type: 'string', enum: ['cat', 'dog'], default: 'cat' },
          parents: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
        },
      },
    },
  },
};

function read(spec: unknown, options: Partial<ReadSpecOptions> = {}) {
  const text = typeof spec === 'string' ? spec : JSON.stringify(spec);
  return readSpec(Buffer.from(text), { ...OPTIONS, ...options });
}

function endpoint(spec: unknown, key: string): RenderedPart {
  const part = read(spec).parts.find(({ endpoint_key }) => endpoint_key === key);
  if (!part) throw new Error(`no ${key}`);
  return part;
}

const keysOf = ({ parts }: { parts: readonly RenderedPart[] }) =>
  parts.flatMap(({ endpoint_key: key }) => key ?? []);

describe('a specification', () => {
  it('is what it says of itself and one text an operation, with the parameters of its path and all references followed', () => {
    const { parts, version } = read(PETS);
    expect(version).toBe('1.10');
    expect(parts.map(({ pointer }) => pointer)).toEqual([
      '',
      '#/paths/~1pets~1{petId}/get',
      '#/paths/~1pets~1{petId}/put',
      '#/components/schemas/Pet',
    ]);
    expect(parts[0]?.texts[0]).toContain('### Welcome');
    const get = endpoint(PETS, 'GET /pets/{petId}');
    expect(get).toMatchObject({
      symbol: 'getPet',
      defs: [
        'getPet',
        'GET /pets/{petId}',
        'GET /pets/{}',
        '/pets/{}',
        'GET /v2/pets/{}',
        '/v2/pets/{}',
      ],
    });
    expect(get.texts).toEqual([
      [
        '# GET /pets/{petId}',
        '`getPet`: One pet',
        '',
        'Finds it.',
        '',
        '### Notes',
        '',
        'By its id.',
        '',
        '## Parameters',
        '- `petId` (path string, required): Which one',
        '- `verbose` (query integer, 0 to 3, required)',
        '',
        '## Response 200',
        'The pet',
        '- `application/json` ({Pet})',
        '  - `name` (string, at most 40 characters, required): What it is called',
        '  - `born` (string date or null)',
        '  - `kind` (one of "cat", "dog", default "cat")',
        '  - `parents` (array of {Pet})',
        '',
        '## Response 404',
        'No such pet',
      ].join('\n'),
    ]);
    expect(endpoint(PETS, 'PUT /pets/{petId}').symbol).toBe('PUT /pets/{petId}');
  });

  it('reads the same in YAML, its version spelled as it was written', () => {
    const yaml = stringify(PETS).replace('"1.10"', '1.10');
    expect(yaml).toContain('version: 1.10');
    expect({ ...read(yaml), memory: null }).toEqual({ ...read(PETS), memory: null });
  });

  it('has the same schema hash in OpenAPI 3.0, 3.1 and Swagger 2', () => {
    const pet = { type: 'object', properties: { name: { type: 'string' } } };
    const get = {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    };
    const answer = (schema: unknown) => ({ 200: { description: 'x', ...JSON_BODY(schema) } });
    const nullable = { properties: { name: { type: 'string', nullable: true } } };
    const three = {
      openapi: '3.0.0',
      info: {},
      paths: { '/p/{id}': { get: { ...get, responses: answer({ ...pet, ...nullable }) } } },
    };
    const one = {
      openapi: '3.1.0',
      info: {},
      paths: {
        '/p/{id}': {
          get: {
            // A path parameter is required, whether or not the specification declares it so.
            parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }],
            responses: answer({ ...pet, properties: { name: { type: ['null', 'string'] } } }),
          },
        },
      },
    };
    expect(endpoint(three, 'GET /p/{id}').schema_hash).toBe(
      endpoint(one, 'GET /p/{id}').schema_hash,
    );
    const post = { requestBody: { required: true, ...JSON_BODY(pet) }, responses: answer(pet) };
    const swagger = {
      swagger: '2.0',
      info: {},
      consumes: ['application/json'],
      produces: ['application/json'],
      definitions: { Pet: pet },
      parameters: {
        body: { in: 'body', name: 'pet', required: true, schema: { $ref: '#/definitions/Pet' } },
      },
      paths: {
        '/p': {
          post: {
            parameters: [{ $ref: '#/parameters/body' }],
            responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/Pet' } } },
          },
        },
      },
    };
    const modern = { openapi: '3.1.0', info: {}, paths: { '/p': { post } } };
    expect(endpoint(swagger, 'POST /p').texts[0]).toContain(
      '## Request body\n- `application/json` ({Pet}, required)',
    );
    expect(endpoint(swagger, 'POST /p').schema_hash).toBe(endpoint(modern, 'POST /p').schema_hash);
  });

  it('takes the paths that the patterns ask for, parameters spelled as in the specification', () => {
    const paths = Object.fromEntries(
      ['/users', '/users/{id}', '/users/{id}/keys', '/admin/users'].map((path) => [
        path,
        { get: {} },
      ]),
    );
    const of = (include: string[], exclude: string[] = []) =>
      keysOf(read({ openapi: '3.0.0', info: {}, paths }, { include, exclude }));
    expect(of(['/users/**'])).toEqual(['GET /users/{id}', 'GET /users/{id}/keys']);
    expect(of(['/users'])).toEqual(['GET /users', 'GET /users/{id}', 'GET /users/{id}/keys']);
    expect(of(['/users/{id}/*'])).toEqual(['GET /users/{id}/keys']);
    expect(of([], ['admin'])).toEqual(['GET /users', 'GET /users/{id}', 'GET /users/{id}/keys']);
    expect(of(['/admin/**'])).toEqual(['GET /admin/users']);
  });

  it('has its webhooks as operations that no endpoint conflicts with, and names callbacks', () => {
    const spec = {
      openapi: '3.1.0',
      info: {},
      paths: {
        '/subscribe': {
          post: { callbacks: { onEvent: { '{$request.body#/url}': { post: {} } } } },
        },
      },
      webhooks: {
        'pet-born': {
          post: { summary: 'A pet was born', requestBody: JSON_BODY({ type: 'string' }) },
        },
      },
    };
    const { parts } = read(spec);
    expect(parts[1]?.texts[0]).toContain('Callbacks: onEvent (POST {$request.body#/url})');
    expect(parts[2]).toMatchObject({
      pointer: '#/webhooks/pet-born/post',
      symbol: 'Webhook pet-born',
      defs: ['Webhook pet-born', 'pet-born'],
    });
    expect(parts[2]).not.toHaveProperty('endpoint_key');
    expect(parts[2]?.texts[0]).toMatch(/^# Webhook POST pet-born\nA pet was born/);
  });

  it('leaves schemas that do not fit to their own text, and cuts unnamed objects into chunks', () => {
    const fields = (prefix: string, count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `${prefix}_${at}`,
          { type: 'string', description: 'Something that takes a while to explain' },
        ]),
      );
    const spec = {
      openapi: '3.0.0',
      info: {},
      paths: {
        '/big': {
          post: {
            requestBody: JSON_BODY({
              type: 'object',
              properties: { inner: { type: 'object', properties: fields('inner', 90) } },
            }),
            responses: {
              200: { description: 'x', ...JSON_BODY({ $ref: '#/components/schemas/Big' }) },
            },
          },
        },
        '/small': {
          get: {
            responses: {
              200: { description: 'x', ...JSON_BODY({ $ref: '#/components/schemas/Small' }) },
            },
          },
        },
      },
      components: {
        schemas: {
          Big: {
            type: 'object',
            properties: { ...fields('big', 60), small: { $ref: '#/components/schemas/Small' } },
          },
          Small: { type: 'object', properties: { id: { type: 'integer' } } },
          Unused: { type: 'object', properties: { id: { type: 'integer' } } },
        },
      },
    };
    const { parts } = read(spec);
    expect(parts.map(({ pointer }) => pointer)).toEqual([
      '',
      '#/paths/~1big/post',
      '#/paths/~1small/get',
      '#/components/schemas/Big',
      '#/components/schemas/Small',
    ]);
    const [, big, small, schema] = parts;
    expect(big?.texts.length).toBeGreaterThan(1);
    for (const text of [...(big?.texts ?? []), ...(schema?.texts ?? [])]) {
      expect(text.length).toBeLessThanOrEqual(CHUNK_CHARACTERS + 300);
    }
    expect(big?.texts[0]).toContain('- `application/json` ({Big})');
    for (const text of big?.texts ?? []) expect(text).toMatch(/^# POST \/big\n/);
    const all = big?.texts.join('\n') ?? '';
    for (let at = 0; at < 90; at++) expect(all).toContain(`\`inner_${at}\``);
    expect(big?.texts.at(-1)).toContain('## Request body > application/json > inner\n');
    expect(all).not.toContain('big_0');
    expect(schema?.texts.join('\n')).toContain('`big_59`');
    expect(small?.texts[0]).toContain('  - `id` (integer)');
  });

  it('ends for references in circles, to nowhere and through paths', () => {
    const spec = {
      openapi: '3.0.0',
      info: {},
      paths: {
        '/a': { $ref: '#/components/pathItems/a' },
        '/b': {
          get: {
            responses: {
              200: {
                description: '',
                ...JSON_BODY({
                  properties: {
                    x: { $ref: '#/components/schemas/Loop' },
                    y: { $ref: '#/nowhere' },
                    z: { $ref: '#/paths/~1b/get/responses/200/content/application~1json/schema' },
                  },
                }),
              },
            },
          },
        },
      },
      components: {
        pathItems: { a: { get: { summary: 'Through' } } },
        schemas: { Loop: { $ref: '#/components/schemas/Loop' } },
      },
    };
    expect(endpoint(spec, 'GET /a').texts[0]).toContain('Through');
    expect(endpoint(spec, 'GET /b').texts[0]).toContain(
      '  - `x` (unresolved reference #/components/schemas/Loop)',
    );
    expect(endpoint(spec, 'GET /b').texts[0]).toContain('  - `y` (unresolved reference #/nowhere)');
    expect(endpoint(spec, 'GET /b').texts.join('\n')).toContain('`z` (');
  });

  const openapi = { openapi: '3.0.0', info: {} };
  it.each([
    [
      'another document',
      {
        ...openapi,
        paths: { '/a': { get: { responses: { 200: { $ref: './responses.yaml#/ok' } } } } },
      },
      /refers to another document, ".\/responses.yaml#\/ok".*bundle it/,
    ],
    [
      'another host',
      { ...openapi, paths: { '/a': { $ref: 'https://evil.example/a.json' } } },
      /"https:\/\/evil.example\/a.json"/,
    ],
    ['no version', { info: {}, paths: {} }, /neither an openapi nor a swagger field/],
    [
      'an old version',
      { swagger: '1.2', paths: {} },
      /is Swagger 1.2; Swagger 2.0 and OpenAPI 3.0 to 3.2 can be read/,
    ],
    ['a list', '[1, 2]', /is not an OpenAPI specification/],
    ['a page', '<!doctype html><title>Docs</title>', /is a page of HTML or XML/],
    ['nothing', ' \n', /is empty/],
    ['broken JSON', '{"openapi": "3.0.0",', /is not valid JSON: /],
    [
      'broken YAML',
      'openapi: 3.0.0\npaths:\n  /a: [1, 2\n  /b: 3\n',
      /is not valid YAML: .* \(line \d+, column \d+\)/,
    ],
    ['plain text', 'Just words.', /is not an OpenAPI specification/],
    ['no paths', openapi, /has neither paths nor webhooks/],
    [
      'too many operations',
      { ...openapi, paths: { '/a': { get: {} }, '/b': { get: {} } } },
      /more than 1 operations and schemas/,
    ],
    ['a YAML bomb', bomb(), /is not valid YAML: Excessive alias count/],
  ])('is refused for %s, with a sentence that says so', (what, spec, sentence) => {
    const maxParts = what === 'too many operations' ? 1 : 1_000;
    expect(() => read(spec, { maxParts })).toThrow(sentence);
    expect(() => read(spec, { maxParts })).toThrow(
      expect.objectContaining({ name: 'SpecProblem' }),
    );
  });
});

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let at = 1; at < 9; at++)
    lines.push(`a${at}: &a${at} [${Array.from({ length: 10 }, () => `*a${at - 1}`).join(', ')}]`);
  return ['openapi: 3.0.0', ...lines].join('\n');
}
