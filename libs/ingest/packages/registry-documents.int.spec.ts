import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { type SitePage, WebSite } from '#test/support/web-site';

import { RegistryDocuments } from './registry-documents.js';

const away: SitePage = (_, response) => response.writeHead(503).end();

let site: WebSite;
beforeAll(async () => {
  site = await WebSite.start();
});
afterAll(() => site.stop());

it('asks again after a minute by the ETag, stands in for a registry that is away for a day, and no longer', async () => {
  site.put({ '/npm/react': 'one' });
  let now = 0;
  const documents = new RegistryDocuments({
    network: { allowPrivateNetworks: false },
    timeoutMs: 5_000,
    now: () => now,
  });
  const registry = { url: site.url('/npm'), ecosystem: 'npm', key: 'npm' } as const;
  const reader = documents.reader(registry, 'react', new AbortController().signal);
  const read = async () => Buffer.from((await reader.read('react')) ?? '').toString();
  const statuses = () => site.seen.splice(0).map(({ status }) => status);

  expect([await read(), await read(), statuses()]).toEqual(['one', 'one', [200]]);
  now += 61_000;
  expect([await read(), await read(), statuses()]).toEqual(['one', 'one', [304]]);
  now += 61_000;
  site.put({ '/npm/react': 'two' });
  expect([await read(), statuses()]).toEqual(['two', [200]]);
  now += 61_000;
  site.put({ '/npm/react': away });
  expect([await read(), statuses()]).toEqual(['two', [503]]);
  now += 24 * 3_600_000;
  await expect(read()).rejects.toMatchObject({
    details: { package_problem: 'registry_unavailable' },
  });
  site.put({ '/npm/react': null });
  expect(await reader.read('react')).toBeNull();
});
