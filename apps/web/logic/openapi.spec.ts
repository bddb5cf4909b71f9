import { describe, expect, it } from '@jest/globals';

import {
  type ApiDocument,
  endpointsByTag,
  requestPath,
  resolvedResponse,
  resolvedSchema,
  typeText,
} from './openapi.js';

const operation = (operationId: string, tag?: string) => ({
  operationId,
  responses: {},
  ...(tag !== undefined && { tags: [tag] }),
});
const API: ApiDocument = {
  info: { title: 'Footnote', version: '1' },
  tags: [{ name: 'search' }, { name: 'unused' }, { name: 'keys' }],
  paths: {
    '/keys': { get: operation('keys_list', 'keys') },
    '/search': { post: operation('search_post', 'search'), get: operation('search_get', 'search') },
    '/': { get: operation('root') },
  },
  components: {
    schemas: { KeyView: { type: 'object', properties: { id: { type: 'string' } } } },
    responses: { Error404: { description: 'Gone' } },
  },
};

describe('the document of the API', () => {
  it('has its operations by tag, in the order of the tags', () => {
    const shown = [...endpointsByTag(API)].map(([tag, endpoints]) => [
      tag,
      ...endpoints.map(({ method, path }) => `${method} ${path}`),
    ]);
    expect(shown).toEqual([
      ['search', 'get /search', 'post /search'],
      ['keys', 'get /keys'],
      ['other', 'get /'],
    ]);
  });

  it('follows references', () => {
    expect(resolvedSchema(API, { $ref: '#/components/schemas/KeyView' })).toHaveProperty(
      'properties',
    );
    expect(resolvedSchema(API, { $ref: '#/components/schemas/None' })).toEqual({});
    expect(resolvedResponse(API, { $ref: '#/components/responses/Error404' })).toEqual({
      description: 'Gone',
    });
  });

  it('says types in words', () => {
    expect(
      [
        { type: 'array', items: { $ref: '#/components/schemas/KeyView' } },
        { type: ['integer', 'null'], minimum: 1, maximum: 50 },
        { type: 'string', format: 'uuid' },
        { type: 'string', minLength: 1, maxLength: 9 },
        { oneOf: [{ type: 'string' }, { type: 'number', maximum: 1 }] },
        {},
      ].map(typeText),
    ).toEqual([
      'KeyView[]',
      'integer or null, 1 to 50',
      'string (uuid)',
      'string, 1 to 9 characters',
      'string or number, at most 1',
      'any',
    ]);
  });

  it('fills parameters into the path and the query', () => {
    const parameters = [
      { name: 'id', in: 'path' },
      { name: 'path', in: 'query' },
      { name: 'limit', in: 'query' },
      { name: 'if-match', in: 'header' },
    ] as const;
    const values = { id: 'a/b$&', path: 'src/ä', limit: '', 'if-match': '"1"' };
    expect(requestPath('/sources/{id}/files', parameters, values)).toBe(
      'sources/a%2Fb%24%26/files?path=src%2F%C3%A4',
    );
  });
});
