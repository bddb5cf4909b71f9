import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { seeded } from '#platform';
import type { JobView, SourceView } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { plausibleFiles } from '#test/support/plausible-files';
import { TwoTenantService } from '#test/support/two-tenants';

/** More by the environment; `npm run bench -- soak` kills for as long as one likes. */
const CYCLES = Number(process.env['FOOTNOTE_TEST_KILLS'] ?? '4');
const FILES = 250;
const SEED = Number(process.env['FOOTNOTE_TEST_SEED'] ?? '20260101');

describe('kill -9 at a random moment of a sync, and start again', () => {
  let service: TwoTenantService;
  let repository: TestRepository;
  let reference: JobView;
  let milliseconds: number;

  beforeAll(async () => {
    service = await TwoTenantService.start();
    repository = TestRepository.create(`${service.scratch}/repo`, plausibleFiles(FILES));
    const source = await service.first.createRepo('Reference', repository.url);
    const started = Date.now();
    reference = await service.first.syncToEnd(source.id);
    milliseconds = Date.now() - started;
  }, 120_000);
  afterAll(() => service.dispose());

  it('needs no second attempt without a kill', () => {
    expect(reference).toMatchObject({ status: 'completed', retry_count: 0 });
  });

  it(`keeps every acknowledged command, ends each job completed, misses and doubles no chunk: ${CYCLES} times, seed ${SEED}`, async () => {
    const random = seeded(SEED);
    const acknowledged: { readonly source: SourceView; readonly jobId: string }[] = [];
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const source = await service.first.createRepo(`Cycle ${cycle}`, repository.url);
      acknowledged.push({ source, jobId: await service.first.sync(source.id) });
      await delay(random() * milliseconds);
      await service.crash();
      const job = await service.first.finished(acknowledged.at(-1)?.jobId ?? '');
      expect([cycle, job.status, job.chunks_created]).toEqual([
        cycle,
        'completed',
        reference.chunks_created,
      ]);
    }

    const { sources, total } = await service.first.expect<{ sources: SourceView[]; total: number }>(
      'GET',
      '/sources',
    );
    expect(total).toBe(CYCLES + 1);
    for (const source of sources) {
      expect(source).toMatchObject({
        status: 'synced',
        file_count: reference.files_processed,
        chunk_count: reference.chunks_created,
      });
    }
    const jobs = await service.first.expect<{ jobs: JobView[]; total: number }>(
      'GET',
      '/jobs?limit=100',
    );
    expect(new Set(jobs.jobs.map((job) => job.id))).toEqual(
      new Set([reference.id, ...acknowledged.map(({ jobId }) => jobId)]),
    );
    expect(jobs.total).toBe(CYCLES + 1);
    const report = (await service.operate('doctor')) as { ok: boolean; checks: unknown[] };
    expect(report).toMatchObject({ ok: true });
  }, 400_000);
});

describe('fifty sync requests for one source at the same time', () => {
  let service: TwoTenantService;
  beforeAll(async () => {
    service = await TwoTenantService.start();
  }, 60_000);
  afterAll(() => service.dispose());

  it('start one sync and answer 409 forty-nine times', async () => {
    const repository = TestRepository.create(`${service.scratch}/repo`, plausibleFiles(FILES));
    const source = await service.first.createRepo('Crowded', repository.url);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        service.first.call<{ code?: string }>('POST', `/sources/${source.id}/sync`),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const refused = answers.filter((answer) => answer.status === 409);
    expect(refused.map((answer) => answer.body.code)).toEqual(
      Array.from({ length: 49 }, () => 'sync_in_progress'),
    );
    const { total } = await service.first.expect<{ total: number }>(
      'GET',
      `/jobs?source_id=${source.id}`,
    );
    expect(total).toBe(1);
  });
});
