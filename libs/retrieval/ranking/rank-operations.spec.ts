import { describe, expect, it } from '@jest/globals';

import {
  candidate,
  type CandidateFields,
  OPTIONS,
  STATISTICS,
} from '#test/support/rank-candidates';

import { analyzeQuery } from '../analysis/analyze-query.js';
import { rank } from './rank.js';
import type { RankCandidate } from './rank.types.js';

describe('rank, of operations', () => {
  const operation = (
    endpointKey: string,
    symbol: string,
    fields: CandidateFields = {},
  ): RankCandidate =>
    candidate({
      path: `api.json#/${endpointKey}`,
      chunkType: 'openapi',
      endpointKey,
      symbol,
      startLine: undefined,
      endLine: undefined,
      termFrequencies: [1, 1],
      ...fields,
    });
  const symbols = (candidates: RankCandidate[], text: string): (string | undefined)[] =>
    rank(analyzeQuery(text), candidates, STATISTICS, OPTIONS).map(
      (entry) => entry.candidate.symbol,
    );

  it('puts first what the query spells out, however much others say of it', () => {
    const asked = operation('GET /users/{id}', 'getUser', {
      defs: ['getUser', 'GET /users/{}'],
      termFrequencies: [1, 0],
    });
    const other = operation('GET /users/{id}/keys', 'listKeys', {
      termFrequencies: [9, 9],
      cosine: 0.5,
    });
    expect(symbols([other, asked], 'get /users/:id')[0]).toBe('getUser');
    expect(symbols([other, asked], 'users keys')[0]).toBe('listKeys');
  });

  it('takes a method for the verbs that people use, and the name that says nothing else for the closest', () => {
    const create = operation('POST /v1/customers', 'PostCustomers');
    const taxes = operation('POST /v1/customers/{customer}/tax_ids', 'PostCustomersCustomerTaxIds');
    const list = operation('GET /v1/customers', 'GetCustomers');
    expect(symbols([taxes, list, create], 'create a customer')[0]).toBe('PostCustomers');
    const update = operation('POST /v1/customers/{customer}', 'PostCustomersCustomer');
    expect(symbols([update, create], 'create a customer')[0]).toBe('PostCustomers');
    expect(symbols([create, update], 'update a customer')[0]).toBe('PostCustomersCustomer');
    expect(symbols([taxes, create, list], 'list customers')[0]).toBe('GetCustomers');
    expect(symbols([create, list, taxes], 'add customer tax')[0]).toBe(
      'PostCustomersCustomerTaxIds',
    );
  });

  it('puts operations before the schemas that explain them, unless a schema is asked for by its name', () => {
    const make = operation('POST /issues', 'issues/create');
    const schema = {
      ...operation('', 'Issue', { defs: ['Issue'], cosine: 0.4 }),
      endpointKey: undefined,
    };
    expect(symbols([schema, make], 'parts of an issue')).toEqual(['issues/create', 'Issue']);
    expect(symbols([make, schema], 'Issue')[0]).toBe('Issue');
  });

  it('keeps two of the same words whose schemas differ somewhere else', () => {
    const same = { contentHash: 'same', termFrequencies: [1, 1] };
    const one = operation('GET /a', 'getA', { ...same, schemaHash: 'one' });
    const copy = operation('GET /a', 'getA', { ...same, schemaHash: 'one', sourceId: 'copy' });
    const other = operation('GET /a', 'getA', {
      ...same,
      schemaHash: 'other',
      sourceId: 'other',
    });
    expect(symbols([one, copy, other], 'close connections')).toHaveLength(2);
  });
});
