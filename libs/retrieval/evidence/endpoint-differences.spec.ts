import { describe, expect, it } from '@jest/globals';

import {
  type DescribedEndpoint,
  differencesInWords,
  endpointDifferences,
} from './endpoint-differences.js';

const LIMITS = { most: 10, schemas: 10 };

function endpoint(
  sourceName: string,
  lines: readonly string[],
  schemas: Readonly<Record<string, readonly string[]>> = {},
) {
  const asked: string[] = [];
  const described: DescribedEndpoint & { readonly asked: readonly string[] } = {
    sourceName,
    text: lines.join('\n'),
    asked,
    schema(name) {
      asked.push(name);
      const fields = schemas[name];
      return Promise.resolve(fields && ['# Schema', '## Fields', ...fields].join('\n'));
    },
  };
  return described;
}

async function fieldsOf(
  one: DescribedEndpoint,
  other: DescribedEndpoint,
  limits = LIMITS,
): Promise<string[]> {
  return (await endpointDifferences(one, other, limits)).map(({ field }) => field);
}

describe('the differences of two descriptions of an endpoint', () => {
  const A = endpoint('A', [
    '# GET /users',
    'Lists `users`.',
    '## Parameters',
    '- `limit` (query integer): How many',
    '- `page` (query integer)',
    '## Response 200',
    '- `application/json` (array of {User})',
    '  - `id` (integer, required)',
    '  - `owner` (object)',
    '    - `email` (string)',
    '## Response 404',
  ]);

  it('are named field by field, with what each says', async () => {
    const B = endpoint('B', [
      '# GET /users',
      'Informs all users.',
      '## Parameters',
      '- `limit` (query string): Number',
      '## Response 200',
      '- `application/json` (array of {Person})',
      '  - `id` (integer)',
      '  - `owner` (object)',
      '    - `email` (string)',
      '    - `name` (string)',
      '## Response 410',
    ]);
    const differences = await endpointDifferences(A, B, LIMITS);
    expect(differences).toEqual([
      { field: 'response 404', reported: ['', undefined] },
      { field: 'response 410', reported: [undefined, ''] },
      { field: 'parameter `limit`', reported: ['query integer', 'query string'] },
      { field: 'parameter `page`', reported: ['query integer', undefined] },
      { field: 'response 200 `id`', reported: ['integer, required', 'integer'] },
      { field: 'response 200 `owner.name`', reported: [undefined, 'string'] },
    ]);
    expect(differencesInWords(['A', 'B'], differences, 3)).toBe(
      'A and B differ in response 404 (only in A), response 410 (only in B), parameter `limit` (A: query integer; B: query string) and more.',
    );
    expect(differencesInWords(['A', 'B'], [], 3)).toBe('');
  });

  it('are looked for in schemas that a source distinguishes, under every name', async () => {
    const response = (type: string) => ['## Response 200', `- \`application/json\` (${type})`];
    const one = endpoint('A', response('{User}'), {
      User: ['- `team` ({Team})', '- `boss` ({User})'],
      Team: ['- `size` (integer)'],
    });
    const other = endpoint('B', response('{Person}'), {
      Person: ['- `team` ({Group})', '- `boss` ({Person})'],
      Group: ['- `size` (string)'],
    });
    expect(await fieldsOf(one, other)).toEqual(['response 200 `team.size`']);
    const inline = endpoint('C', [
      ...response('{Person}'),
      '  - `team` (object)',
      '    - `size` (integer)',
      '  - `boss` (object)',
      '    - `x` (any)',
    ]);
    expect(await fieldsOf(one, inline)).toEqual([
      'response 200 `boss.team`',
      'response 200 `boss.boss`',
      'response 200 `boss.x`',
    ]);
  });

  it('end for schemas that contain themselves, and within the limits', async () => {
    const self = { Node: ['- `next` ({Node})', '- `value` (string)'] };
    const lines = ['## Response 200', '- `application/json` ({Node})'];
    const [one, other] = [endpoint('A', lines, self), endpoint('B', lines, self)];
    expect(await fieldsOf(one, other)).toEqual([]);
    expect(one.asked.length).toBeLessThanOrEqual(2);
    const deep = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`S${at}`, [`- \`f\` ({S${at + 1}})`]]),
    );
    const [first, second] = [
      endpoint('A', ['## Response 200', '- `a/b` ({S0})'], deep),
      endpoint('B', ['## Response 200', '- `a/b` ({S0})'], deep),
    ];
    expect(await fieldsOf(first, second, { most: 10, schemas: 6 })).toEqual([]);
    expect(first.asked.length + second.asked.length).toBe(6);
    const many = endpoint('A', [
      '## Parameters',
      ...Array.from({ length: 40 }, (_, at) => `- \`p${at}\` (query string)`),
    ]);
    expect(await fieldsOf(many, endpoint('B', []), { most: 4, schemas: 0 })).toEqual([
      'parameters',
    ]);
    expect(
      await fieldsOf(many, endpoint('B', ['## Parameters', '- `q` (query any)']), {
        most: 4,
        schemas: 0,
      }),
    ).toHaveLength(4);
  });
});
