import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { TestRepository } from '#test/support/git-repository';
import { TwoTenantService } from '#test/support/two-tenants';

describe('sources that cannot be fetched', () => {
  let service: TwoTenantService;
  let web: Server;
  let base: string;

  beforeAll(async () => {
    service = await TwoTenantService.start({ ALLOW_PRIVATE_NETWORKS: 'true' });
    web = createServer((request, response) => {
      if (request.url?.startsWith('/private'))
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      else if (request.url?.startsWith('/page'))
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello');
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  }, 60_000);
  afterAll(async () => {
    web.close();
    await service.dispose();
  });

  const failure = async (url: string, fields: object = {}) => {
    const source = await service.first.createRepo('Broken', url, fields);
    const job = await service.first.finished(await service.first.sync(source.id));
    expect(job.status).toBe('failed');
    const shown = await service.first.expect<{ status: string; last_error: string }>(
      'GET',
      `/sources/${source.id}`,
    );
    expect(shown).toMatchObject({ status: 'error', last_error: job.error_message });
    return job;
  };

  it('says that a repository does not exist', async () => {
    const job = await failure(`${base}/missing.git`);
    expect(job).toMatchObject({
      error_details: { url: `${base}/missing.git`, status_code: 404 },
      retry_count: 0,
    });
    expect(job.error_message).toMatch(/not found|does not exist/i);
  });

  it('says that a repository asks for a password', async () => {
    const job = await failure(`${base}/private.git`);
    expect(job).toMatchObject({
      error_details: { url: `${base}/private.git`, status_code: 401 },
      retry_count: 0,
    });
    expect(job.error_message).toMatch(/authenti|password|credential/i);
  });

  it('says that a page is not a git repository', async () => {
    const job = await failure(`${base}/page`);
    expect(job).toMatchObject({ error_details: { url: `${base}/page` }, retry_count: 0 });
    expect(job.error_message).toMatch(/not a git repository/i);
  });

  it('names the default branch when the branch does not exist', async () => {
    const repository = TestRepository.create(`${service.scratch}/branches`, { 'a.md': '# A\n' });
    const job = await failure(repository.url, { branch: 'nowhere' });
    expect(job.error_message).toMatch(/nowhere.*main/);
  });

  it('completes an empty repository with zero', async () => {
    const repository = TestRepository.create(`${service.scratch}/empty`);
    const source = await service.first.createRepo('Empty', repository.url);
    const job = await service.first.syncToEnd(source.id);
    expect(job).toMatchObject({ files_processed: 0, chunks_created: 0, progress_percent: 100 });
    expect(await service.first.search('anything', { source_ids: [source.id] })).not.toHaveProperty(
      'results',
    );
  });
});
