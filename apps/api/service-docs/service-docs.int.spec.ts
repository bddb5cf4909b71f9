import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { serviceDocsDefinition, SYSTEM_TENANT } from '#contracts';
import type { ChatResponseView, JobList, QuotaUsageView, SourceList } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import { foldStream } from '#event-store';
import { readServiceDocs } from '#ingest/service-docs/service-docs';
import { silentLogger } from '#platform';
import { PackagesService } from '#test/support/packages-service';

import { Lifecycle } from '../lifecycle/lifecycle.js';
import { OwnerCommands } from '../packages/owner-commands.js';
import { PackageSyncs } from '../packages/package-syncs.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { LiveSources } from '../sources/live-sources.js';
import { KeptServiceDocs, SERVICE_DOCS_SOURCE } from './kept-service-docs.js';

const QUESTION = 'How long does an answer wait for the packages that its question mentions?';

describe('the documentation of the service', () => {
  let service: PackagesService;
  beforeAll(async () => {
    // A plan that has room for nothing: it is no tenant's.
    const plans = JSON.stringify({ standard: { chunks: { total: 1 } } });
    service = await PackagesService.start({ QUOTA_PLANS: plans });
    for (const api of service.apis) api.get(KeptServiceDocs).start();
    await service.until(
      async () => service.apis.every((api) => live(api) !== undefined),
      'the documentation',
    );
  }, 60_000);
  afterAll(() => service.stop());

  const live = (api = service.apis[0]) =>
    api?.get(LiveSources).one(SYSTEM_TENANT, SERVICE_DOCS_SOURCE);
  const ask = (more: object = {}) =>
    service.call<ChatResponseView>('POST', '/chat', { query: QUESTION, ...more });
  const jobs = async () =>
    (await service.events('JobRequested')).filter(
      ({ data }) => data['source_id'] === SERVICE_DOCS_SOURCE,
    );
  /** Starts once more, as another process would. */
  const start = (environment = { serviceDocs: true }) => {
    const api = service.apis[0];
    if (!api) throw new Error('There is no API');
    new KeptServiceDocs(
      api.get(OwnerCommands),
      api.get(PackageSyncs),
      api.get(LiveSources),
      api.get(ContentGaps),
      api.get(Lifecycle),
      environment,
      silentLogger,
    ).start();
  };

  it('is indexed by one job, whichever of several processes start at once', async () => {
    const { version } = await readServiceDocs();
    expect(live()?.versionRef).toBe(version);
    expect(await jobs()).toHaveLength(1);
    for (let process = 0; process < 4; process += 1) start();
    start({ serviceDocs: false });
    expect(await jobs()).toHaveLength(1);
    expect(
      (await service.events('SourceRegistered')).filter(({ tenant }) => tenant === SYSTEM_TENANT),
    ).toHaveLength(1);
  });

  it('answers questions that ask for it, cited by file and line, and no others', async () => {
    const { status, body } = await ask({ scope: 'service_docs' });
    expect(status).toBe(200);
    expect(body.citations[0]).toMatchObject({
      source_name: 'Footnote documentation',
      start_line: expect.any(Number),
    });
    expect(body.citations.slice(0, 3).map(({ path }) => path)).toContainEqual(
      expect.stringMatching(/^docs\/(configuration|chat)\.md$/),
    );
    const replay = await service.call('POST', `/receipts/${body.receipt_id}/replay`);
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect((await ask()).body).toMatchObject({ citations: [], model_used: 'none' });
  });

  it('is in no list, search, job or quota of a tenant', async () => {
    expect((await service.call('POST', '/search', { query: QUESTION })).body).not.toHaveProperty(
      'results',
    );
    const named = { query: QUESTION, source_ids: [SERVICE_DOCS_SOURCE] };
    expect((await service.call('POST', '/search', named)).body).not.toHaveProperty('results');
    expect((await service.call<SourceList>('GET', '/sources')).body.total).toBe(0);
    expect((await service.call<JobList>('GET', '/jobs')).body.total).toBe(0);
    const [job] = await jobs();
    expect((await service.call('GET', `/jobs/${String(job?.data['job_id'])}`)).status).toBe(404);
    for (const path of ['', '/content?path=README.md']) {
      expect((await service.call('GET', `/sources/${SERVICE_DOCS_SOURCE}${path}`)).status).toBe(
        404,
      );
    }
    const { body } = await service.call<QuotaUsageView>('GET', '/quota/usage');
    const held = body.usage.filter(({ metric }) => metric === 'chunks' || metric === 'sources');
    expect(held.map(({ metric, used }) => [metric, used])).toEqual([
      ['sources', 0],
      ['chunks', 0],
    ]);
    expect(JSON.stringify((await service.events('JobCompleted')).map(({ tenant }) => tenant))).toBe(
      '["system"]',
    );
  });

  it('is indexed again at the start that finds it changed', async () => {
    const { version } = await readServiceDocs();
    const before = await foldStream(
      service.engines.eventStore,
      sourceDecider,
      `source-${SERVICE_DOCS_SOURCE}`,
    );
    expect(before.state).toMatchObject({
      definition: serviceDocsDefinition(version),
      sync_interval_seconds: 0,
    });
    // As an older build left it.
    const older = { ...live(), versionRef: 'older' };
    const liveSources = { one: () => older } as unknown as LiveSources;
    const api = service.apis[0];
    if (!api) throw new Error('There is no API');
    new KeptServiceDocs(
      api.get(OwnerCommands),
      api.get(PackageSyncs),
      liveSources,
      api.get(ContentGaps),
      api.get(Lifecycle),
      { serviceDocs: true },
      silentLogger,
    ).start();
    await service.until(async () => (await jobs()).length === 2, 'the second job');
  });
});
