import { expect } from '@jest/globals';

import type { NoEvidence, SearchResponse } from '#contracts';

import type { Answer, ApiClient } from './api-client.js';

type Fields = Readonly<Record<string, unknown>>;

/** Asks by POST /search. */
export function searchByPost<Body>(client: ApiClient, fields: Fields): Promise<Answer<Body>> {
  return client.call<Body>('POST', '/search', fields);
}

/** Asks by GET /search; lists go as comma-separated words. */
export function searchByGet<Body>(client: ApiClient, fields: Fields): Promise<Answer<Body>> {
  const words = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, String(value)]),
  );
  return client.call<Body>('GET', `/search?${new URLSearchParams(words).toString()}`);
}

/** Asks by POST /search/rmh for nothing beyond what /search gives. */
export function searchByRmh<Body>(client: ApiClient, fields: Fields): Promise<Answer<Body>> {
  return client.call<Body>('POST', '/search/rmh', {
    ...fields,
    expand_neighbors: false,
    secondary_search: false,
  });
}

/**
 * Searches by GET, by POST and by a multi-hop search without hops and neighbors, and expects the
 * same answer three times.
 * @returns the answer, without the fields that only the last one has.
 */
export async function searchEveryWay(
  client: ApiClient,
  fields: Fields,
): Promise<SearchResponse & NoEvidence> {
  const posted = await searchByPost<SearchResponse & NoEvidence>(client, fields);
  const got = await searchByGet<SearchResponse>(client, fields);
  const { body: multiHop, status } = await searchByRmh<{ rmh?: object }>(client, fields);
  expect([posted.status, got.status, status]).toEqual([200, 200, 200]);
  const { rmh, ...followed } = multiHop;
  expect(rmh !== undefined).toBe('results' in posted.body);
  expect(timeless(got.body)).toEqual(timeless(posted.body));
  expect(timeless(followed)).toEqual(timeless(posted.body));
  return posted.body;
}

/** The answer without what changes from one moment to the next. */
function timeless(body: object): unknown {
  const fields = ['search_time_ms', 'freshness_days', 'avg_freshness_days'];
  return JSON.parse(
    JSON.stringify(body, (field, value: unknown) => (fields.includes(field) ? 0 : value)),
  );
}
