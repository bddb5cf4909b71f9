import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RoverJobView, RoverVerificationView } from '#contracts/http/index';
import type { ApiClient } from '#test/support/api-client';
import { HARBOR_REPOS, hostHarbor } from '#test/support/research/harbor';
import { RoverService } from '#test/support/research/rover-service';
import { TwoTenantService } from '#test/support/two-tenants';

const QUESTION = 'How often does the harbor client retry, and which limit does the transport set?';
const START_MS = 180_000;

describe('rover jobs of a running service', () => {
  const host = new RoverService();
  let service: TwoTenantService;
  let job: RoverJobView;

  const create = (client: ApiClient, body: object = {}) =>
    client.expect<RoverJobView>('POST', '/rover/jobs', { question: QUESTION, ...body });
  const ended = async (client: ApiClient, id: string): Promise<RoverJobView> => {
    for (let tries = 0; tries < 1_200; tries += 1) {
      const view = await client.expect<RoverJobView>('GET', `/rover/jobs/${id}`);
      if (['completed', 'failed', 'cancelled'].includes(view.status)) return view;
      await delay(100);
    }
    throw new Error(`The rover job ${id} did not end`);
  };
  /** Returns what tenants have in common: their sources, and so their chunks, have own ids. */
  const resultOf = ({ answer, sections, citations, not_found, confidence }: RoverJobView) => {
    const cited = citations.map(({ path, content, blob_id }) => ({ path, content, blob_id }));
    return JSON.stringify({ answer, sections, cited, not_found, confidence });
  };

  beforeAll(async () => {
    hostHarbor(host);
    service = await TwoTenantService.start(await host.serveHost());
    job = await ended(service.first, (await create(service.first, { repos: HARBOR_REPOS })).id);
  }, START_MS);
  afterAll(async () => {
    await service.dispose();
    await host.stop();
  });

  it('answer with citations that equal the bytes of their commits', () => {
    expect(job).toMatchObject({ status: 'completed', error_message: null, progress_percent: 100 });
    expect(new Set(job.citations.map(({ repo }) => repo))).toEqual(new Set(HARBOR_REPOS));
    for (const { repo, version_ref, path, content, sha256 } of job.citations) {
      expect(version_ref).toBe(host.commitOf(repo));
      expect(host.show(repo, version_ref, path)).toContain(content.trimEnd());
      expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
    }
  });

  it('belong to their tenant, and its research is in no search or list', async () => {
    const { status } = await service.second.call('GET', `/rover/jobs/${job.id}`);
    expect(status).toBe(404);
    for (const client of [service.first, service.second]) {
      expect(await client.expect('GET', '/sources')).toMatchObject({ total: 0 });
      expect((await client.search('RETRY_LIMIT')).results).toBeUndefined();
    }
  });

  it(
    'give the same answer again, for another tenant and after a restart',
    async () => {
      const [again, foreign] = await Promise.all(
        [service.first, service.second].map(async (client) =>
          ended(client, (await create(client, { repos: HARBOR_REPOS })).id),
        ),
      );
      expect(again && resultOf(again)).toBe(resultOf(job));
      expect(foreign && resultOf(foreign)).toBe(resultOf(job));
      await service.restart();
      const view = await service.first.expect<RoverJobView>('GET', `/rover/jobs/${job.id}`);
      expect(resultOf(view)).toBe(resultOf(job));
    },
    START_MS,
  );

  it(
    'are verified against the host, also after its history changed',
    async () => {
      const verify = () =>
        service.first.expect<RoverVerificationView>('POST', `/rover/jobs/${job.id}/verify`);
      const { length } = job.citations;
      expect(await verify()).toMatchObject({ matches: length, changed: 0, gone: 0 });
      host.unpublish('harbor/transport');
      const after = await verify();
      expect(after.gone).toBe(
        job.citations.filter(({ repo }) => repo === 'harbor/transport').length,
      );
      expect(after.matches).toBe(length - after.gone);
    },
    START_MS,
  );

  it(
    'are cancelled while they run',
    async () => {
      host.host('slow/lake', { 'a.py': 'x = 1\n' });
      const { id } = await create(service.first, { repos: ['slow/lake'] });
      while (host.held.length === 0) await delay(20);
      const cancelled = await service.first.expect<RoverJobView>('DELETE', `/rover/jobs/${id}`);
      expect(cancelled.status).toBe('cancelled');
      while (!host.held.every(({ destroyed }) => destroyed)) await delay(20);
      expect(await ended(service.first, id)).toMatchObject({ status: 'cancelled', answer: null });
    },
    START_MS,
  );
});
