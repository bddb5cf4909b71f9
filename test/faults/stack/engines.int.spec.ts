import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';

import type { Answer, SearchView, SourceView } from '#test/support/api-client';
import { describeWhen } from '#test/support/describe-when';
import { EngineInstance } from '#test/support/engine-script';
import { SyncsUnderFault } from '#test/support/stack/sync-under-fault';
import { TwoTenantService } from '#test/support/two-tenants';

const FILES = 120;
const KAFKA_AWAY_MS = 20_000;
const LOG_AWAY_MS = 10_000;
const EVERY_MS = 200;
/** Until a service that has its engine back must answer again. */
const RECOVERY_MS = 30_000;

describeWhen('FOOTNOTE_STACK', 'engines that fail in the middle of a sync', () => {
  let service: TwoTenantService;
  let syncs: SyncsUnderFault;

  beforeAll(async () => {
    service = await TwoTenantService.start({ JOB_LEASE_SECONDS: '5' });
    syncs = await SyncsUnderFault.prepare(service, FILES);
  }, 180_000);
  afterEach(() => syncs.expectWhole());
  afterAll(() => service.dispose());

  const search = () => service.first.call<SearchView>('POST', '/search', { query: 'add11Part3' });
  const list = () => service.first.call('GET', '/sources');
  const change = () => service.first.call('PUT', '/policy', { min_evidence_count: 1 });
  const named = async (name: string): Promise<number> => {
    const { sources } = await service.first.expect<{ sources: SourceView[] }>(
      'GET',
      '/sources?limit=100',
    );
    return sources.filter((source) => source.name === name).length;
  };
  /**
   * Creates a source that is never synced, under one idempotency key however often it is called.
   */
  const create = (name: string) =>
    service.first.call<SourceView>(
      ...(['POST', '/sources', { name, source_type: 'repo', url: syncs.repository.url }] as const),
      { 'idempotency-key': name.replaceAll(' ', '-') },
    );
  /** Asks until it succeeds; only `engine_unavailable` may come before. */
  const succeeds = async <Body>(ask: () => Promise<Answer<Body>>): Promise<void> => {
    const deadline = Date.now() + RECOVERY_MS;
    for (let last = await ask(); last.status >= 300; last = await ask()) {
      if (last.status !== 503 || Date.now() > deadline)
        throw new Error(`Got ${last.status} ${JSON.stringify(last.body)}`);
      await delay(EVERY_MS);
    }
  };

  it('takes commands without Kafka, and works them off when it is back', async () => {
    const kafka = EngineInstance.shared('kafka');
    const job = await syncs.begin('Kafka');
    await syncs.until(job, 'parse');
    await kafka.kill();
    const back = delay(KAFKA_AWAY_MS).then(() => kafka.start());
    const later = await syncs.begin('While Kafka is away');
    expect((await service.first.call('PUT', '/policy', { min_evidence_count: 2 })).status).toBe(
      200,
    );
    expect((await service.first.call('POST', '/policy/reset')).status).toBe(200);
    expect((await search()).body.results).not.toHaveLength(0);
    await back;
    await syncs.completes(job);
    await syncs.completes(later);
  });

  it('says that it cannot search while OpenSearch is away, and never that there is nothing', async () => {
    const openSearch = EngineInstance.shared('opensearch');
    const job = await syncs.begin('OpenSearch');
    await syncs.until(job, 'chunk');
    await openSearch.kill();
    const watch = watched(search);
    expect((await search()).status).toBe(503);
    expect((await list()).status).toBe(200);
    await openSearch.start();
    await syncs.completes(job);
    await succeeds(search);
    const answers = await watch.end();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    for (const { status, body, headers } of answers) {
      if (status === 200) expect(body.results?.length ?? 0).toBeGreaterThan(0);
      else expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('publishes a generation only when an index that refused writes takes them again', async () => {
    const { OPENSEARCH_URL = '', OPENSEARCH_INDEX_PREFIX: prefix } = service.variables;
    const block = async (value: boolean | null) => {
      const answer = await fetch(`${OPENSEARCH_URL}/${prefix}-chunks-*/_settings`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ 'index.blocks.write': value }),
      });
      expect(answer.status).toBe(200);
    };
    await block(true);
    const job = await syncs.begin('Blocked');
    await syncs.until(job, 'index');
    await delay(3_000);
    expect((await service.first.job(job)).status).toBe('running');
    expect((await search()).body.results).not.toHaveLength(0);
    await block(null);
    await syncs.completes(job);
  });

  it('answers 503 while PostgreSQL is away, never 500, and goes on when it is back', async () => {
    const postgres = EngineInstance.shared('postgres');
    const job = await syncs.begin('PostgreSQL');
    await syncs.until(job, 'parse');
    const watches = [watched<unknown>(list), watched<unknown>(search), watched<unknown>(change)];
    await postgres.kill();
    await delay(2_000);
    await postgres.start();
    await succeeds(list);
    await succeeds(search);
    await syncs.completes(job);
    const answers = (await Promise.all(watches.map((watch) => watch.end()))).flat();
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(answers.some(({ status }) => status === 503)).toBe(true);
  });

  it('refuses commands while the log is away, and keeps each of them once', async () => {
    const job = await syncs.begin('Log');
    await syncs.until(job, 'parse');
    await service.stack?.killLog();
    const refused = await create('Insistent');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    await delay(LOG_AWAY_MS);
    await service.stack?.restartLog();
    await succeeds(() => create('Insistent'));
    expect((await create('Insistent')).status).toBeLessThan(300);
    expect(await named('Insistent')).toBe(1);
    await syncs.completes(job);
  });

  it('makes one source when the answer of the log gets lost', async () => {
    await service.stack?.loseNextAnswer();
    await succeeds(() => create('Answer lost'));
    expect(await named('Answer lost')).toBe(1);
  });
});

/**
 * Asks again and again until it is ended. A request that fails without an answer fails the test.
 */
function watched<Body>(ask: () => Promise<Answer<Body>>): { end(): Promise<Answer<Body>[]> } {
  const answers: Answer<Body>[] = [];
  let ended = false;
  const loop = (async () => {
    while (!ended) {
      answers.push(await ask());
      await delay(EVERY_MS);
    }
  })();
  loop.catch(() => undefined);
  return {
    end: async () => {
      ended = true;
      await loop;
      return answers;
    },
  };
}
