import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, expect, it } from '@jest/globals';

import type { IssuedKeyView, PolicyView } from '#contracts/http/index';
import { ApiClient } from '#test/support/api-client';
import { describeWhen } from '#test/support/describe-when';
import { SyncsUnderFault } from '#test/support/stack/sync-under-fault';
import { TwoTenantService } from '#test/support/two-tenants';

const FILES = 120;
const SYNCS_AT_ONCE = 8;
/** A second on a machine that has nothing else to do. */
const SEEN_WITHIN_MS = 5_000;
const TAKEN_OVER_WITHIN_MS = 10_000;
/**
 * The interval at which the client of the rolling restart asks for a ready API: less than
 * `SHUTDOWN_DELAY_SECONDS`.
 */
const ASK_READY_MS = 250;

describeWhen('FOOTNOTE_STACK', 'several processes of each kind', () => {
  let service: TwoTenantService;
  let syncs: SyncsUnderFault;

  beforeAll(async () => {
    service = await TwoTenantService.start(
      { JOB_LEASE_SECONDS: '5', SHUTDOWN_DELAY_SECONDS: '2' },
      { api: 2, projector: 2, pipeline: 3 },
    );
    syncs = await SyncsUnderFault.prepare(service, FILES);
  }, 240_000);
  afterAll(() => service.dispose());

  /** The first tenant's view by the API at this place. */
  const by = (index: number, key = service.key) =>
    new ApiClient(service.processes.apis[index]?.url ?? '', key);

  it('shows a change made through one API in the other', async () => {
    await by(0).expect('PUT', '/policy', { min_evidence_count: 3 });
    await seen(
      async () => (await by(1).expect<PolicyView>('GET', '/policy')).min_evidence_count === 3,
    );
    await by(1).expect('POST', '/policy/reset');
    await seen(
      async () => (await by(0).expect<PolicyView>('GET', '/policy')).min_evidence_count === 1,
    );

    const { id, key } = await by(0).expect<IssuedKeyView>('POST', '/keys', { name: 'Temporary' });
    await seen(async () => (await by(1, key).call('GET', '/sources')).status === 200);
    await by(1).expect('DELETE', `/keys/${id}`);
    await seen(async () => (await by(0, key).call('GET', '/sources')).status === 401);
  });

  it('finds nothing of a source that the other API deleted', async () => {
    const { id } = await by(0).createRepo('Short-lived', syncs.repository.url);
    await by(1).syncToEnd(id);
    const hits = async () =>
      (await by(1).search('add11Part3', { source_ids: [id] })).results?.length ?? 0;
    await seen(async () => (await hits()) > 0);
    await by(0).expect('DELETE', `/sources/${id}`);
    await seen(async () => (await hits()) === 0);
    expect((await by(1).call('GET', `/sources/${id}`)).status).toBe(404);
    syncs.forget();
  });

  it(`shares ${SYNCS_AT_ONCE} syncs at once among the pipelines`, async () => {
    const jobs = await Promise.all(
      Array.from({ length: SYNCS_AT_ONCE }, (_, index) => syncs.begin(`Sync ${index}`)),
    );
    for (const job of jobs) await syncs.completes(job);
    const fetched = service.processes.pipelines.map(({ pid }) => clonesOf(service.dataDir, pid));
    expect(fetched.filter((clones) => clones > 0).length).toBeGreaterThan(1);
  });

  it.each(['projector', 'pipeline'] as const)(
    'hands over what a killed %s held in the middle of a sync',
    async (kind) => {
      const { processes } = service;
      const all = { projector: processes.projectors, pipeline: processes.pipelines }[kind];
      const held = await processes.leases(kind);
      const leases = held.reduce((sum, count) => sum + count);
      expect(leases).toBeGreaterThan(0);
      const holder = all[held.indexOf(Math.max(...held))];
      const job = await syncs.begin(`Leading ${kind} killed`);
      await syncs.until(job, 'chunk');
      await processes.take(kind, holder).kill();
      await seen(
        async () => (await processes.leases(kind)).reduce((sum, count) => sum + count) === leases,
        TAKEN_OVER_WITHIN_MS,
      );
      await syncs.completes(job);
      await processes.add(kind);
    },
  );

  it('fails no request of a client that asks who is ready while the APIs are replaced one by one', async () => {
    const client = new ReadinessClient(
      () => service.processes.apis.map(({ url }) => url),
      service.key,
    );
    const [first, second] = [...service.processes.apis];
    const codes: (number | null | undefined)[] = [];
    for (const old of [first, second]) {
      codes.push(await old?.stop());
      service.processes.take('api');
      await service.processes.add('api');
      await delay(2 * ASK_READY_MS);
    }
    const { answered, failed } = await client.end();
    expect(codes).toEqual([0, 0]);
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(20);
  });

  it('misses and doubles nothing', () => syncs.expectWhole());
});

async function seen(condition: () => Promise<boolean>, withinMs = SEEN_WITHIN_MS): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not seen within ${withinMs} ms`);
    await delay(20);
  }
}

/** Sources that this pipeline fetched: a clone of each stays in its scratch folder. */
function clonesOf(dataDir: string, pid: number): number {
  const folder = `${dataDir}/scratch/${pid}`;
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

/**
 * Searches without a pause, at an API that said that it is ready when it was asked last, as a load
 * balancer does.
 */
class ReadinessClient {
  private ready: readonly string[] = [];
  private ended = false;
  private answered = 0;
  private readonly failed: string[] = [];
  private readonly loops: Promise<void>[];

  constructor(
    private readonly urls: () => readonly string[],
    private readonly key: string,
  ) {
    this.loops = [this.watch(), this.search()];
  }

  async end(): Promise<{ answered: number; failed: readonly string[] }> {
    this.ended = true;
    await Promise.all(this.loops);
    return { answered: this.answered, failed: this.failed };
  }

  private async watch(): Promise<void> {
    while (!this.ended) {
      const asked = await Promise.all(
        this.urls().map(async (url) => {
          const answer = await fetch(`${url}/health/ready`, {
            signal: AbortSignal.timeout(2_000),
          }).catch(() => null);
          return answer?.status === 200 ? [url] : [];
        }),
      );
      this.ready = asked.flat();
      await delay(ASK_READY_MS);
    }
  }

  private async search(): Promise<void> {
    for (let turn = 0; !this.ended; turn += 1) {
      const url = this.ready[turn % Math.max(1, this.ready.length)];
      if (!url) {
        await delay(10);
        continue;
      }
      const outcome = await new ApiClient(url, this.key)
        .call('POST', '/search', { query: 'add11Part3' })
        .then(({ status }) => status, String);
      if (outcome === 200) this.answered += 1;
      else this.failed.push(`${url}: ${outcome}`);
    }
  }
}
