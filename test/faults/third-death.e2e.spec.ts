import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { freePort } from '#test/support/free-port';
import { TestRepository } from '#test/support/git-repository';
import { TwoTenantService } from '#test/support/two-tenants';
import { WebSite } from '#test/support/web-site';

const PAGE =
  '<!doctype html><title>Held</title><main><h1>Held</h1><p>A page that is answered late.</p></main>';
const WITHIN_MS = 120_000;

describe('a job that runs while its process ends', () => {
  let service: TwoTenantService;
  let site: WebSite;
  /**
   * The status of `/health/ready` when the job asked for its page, once for each start of the
   * process.
   */
  let readiness: number[];
  let isHeld: boolean;
  let jobId: string;

  beforeEach(async () => {
    readiness = [];
    isHeld = true;
    const port = await freePort();
    site = await WebSite.start({
      '/guide/': (_request, response) => {
        if (!isHeld) return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
        // The page is not answered: its job stays in the stage fetch until its process ends.
        void fetch(`http://127.0.0.1:${port}/health/ready`).then(
          ({ status }) => readiness.push(status),
          () => readiness.push(0),
        );
      },
    });
    const environment = { ALLOW_PRIVATE_NETWORKS: 'true', CRAWL_DELAY_MS: '0', PORT: String(port) };
    service = await TwoTenantService.start(environment);
    const fields = {
      name: 'Held',
      source_type: 'docs',
      docs_format: 'html',
      url: site.url('/guide/'),
    };
    const { id } = await service.first.expect<{ id: string }>('POST', '/sources', fields);
    jobId = await service.first.sync(id);
  }, WITHIN_MS);
  afterEach(async () => {
    await service.dispose();
    await site.stop();
  });

  /** Waits until the job has asked for its page in so many processes. */
  async function asked(times: number): Promise<void> {
    const deadline = Date.now() + WITHIN_MS;
    while (readiness.length < times) {
      if (Date.now() > deadline)
        throw new Error(`The page was requested ${readiness.length} times, not ${times}`);
      await delay(20);
    }
  }

  it('fails at the third kill, begins only when the API is ready, and keeps no other tenant waiting', async () => {
    const repository = TestRepository.create(`${service.scratch}/small`, {
      'a.ts': 'export const small = 1;\n',
    });
    const small = await service.second.createRepo('Small', repository.url);
    for (const death of [1, 2, 3]) {
      await asked(death);
      expect(await service.first.job(jobId)).toMatchObject({ status: 'running', stage: 'fetch' });
      expect(await service.second.syncToEnd(small.id, WITHIN_MS)).toMatchObject({
        status: 'completed',
      });
      await service.crash();
    }
    const small2 = await service.second.sync(small.id);
    expect(await service.first.finished(jobId, WITHIN_MS)).toMatchObject({
      status: 'failed',
      error_message:
        'The worker ended without notice 3 times while it ran this job, the last time in stage fetch',
    });
    expect((await service.second.finished(small2, WITHIN_MS)).status).toBe('completed');
    expect(readiness).toEqual([200, 200, 200]);
  }, 400_000);

  it('goes on after three stops that are announced, and completes', async () => {
    for (const stop of [1, 2, 3]) {
      await asked(stop);
      await service.restart();
    }
    await asked(4);
    isHeld = false;
    await service.restart();
    expect(await service.first.finished(jobId, WITHIN_MS)).toMatchObject({
      status: 'completed',
      error_message: null,
    });
    expect(readiness).toEqual([200, 200, 200, 200]);
  }, 400_000);
});
