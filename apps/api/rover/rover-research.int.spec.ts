import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RoverJobView } from '#contracts/http/index';
import type { PackagesService } from '#test/support/packages-service';
import { RoverService } from '#test/support/research/rover-service';

const QUESTION = 'Which retry limit does the client pass to connect_with_retries of the transport?';

/** Two repositories: the first uses the second. */
const CLIENT = {
  'pyproject.toml': '[project]\nname = "harbor-client"\ndependencies = ["harbor-transport>=2"]\n',
  'harbor_client/session.py':
    'from harbor_transport import connect_with_retries\n\nRETRY_LIMIT = 7\n\n\n' +
    'def open_session(address):\n    """Opens a session with the retry limit of the client."""\n' +
    '    return connect_with_retries(address, limit=RETRY_LIMIT)\n',
  'README.md': '# Harbor client\n\nThe client opens sessions over the transport.\n',
};
const TRANSPORT = {
  'pyproject.toml': '[project]\nname = "harbor-transport"\nversion = "2.1.0"\n',
  'harbor_transport/__init__.py':
    'def connect_with_retries(address, limit=3):\n' +
    '    """Connects to an address and retries at most `limit` times."""\n' +
    '    for attempt in range(limit):\n        if dial(address):\n            return attempt\n' +
    '    raise ConnectionError(address)\n',
  'README.md': '# Harbor transport\n\nConnects with retries.\n',
};

describe('research over repositories', () => {
  const rover = new RoverService();
  let service: PackagesService;

  beforeAll(async () => {
    rover.publish('harbor/client', CLIENT);
    rover.publish('harbor/transport', TRANSPORT);
    rover.publish('harbor/empty', {});
    await rover.start({ ROVER_FAST: JSON.stringify({ seconds: 3_600 }) });
    ({ service } = rover);
  });
  afterAll(() => rover.stop());

  const create = (body: object, tenant = 0) => rover.create(body, tenant);
  const get = (id: string) => rover.get(id);
  const ended = (id: string, tenant = 0) => rover.ended(id, tenant);
  const charged = (tenant = 0) => rover.used('rover', tenant);
  const repos = ['harbor/client', 'harbor/transport'];

  it('reads, searches and answers with citations that equal their commits', async () => {
    const job = await ended((await create({ question: QUESTION, repos })).id);
    expect(job).toMatchObject({ status: 'completed', progress_percent: 100, error_message: null });
    expect(new Set(job.citations.map(({ repo }) => repo))).toEqual(new Set(repos));
    expect(job.answer).toContain('connect_with_retries');
    for (const { repo, version_ref, path, content, sha256, start_line } of job.citations) {
      expect(version_ref).toBe(rover.commitOf(repo));
      const file = rover.show(repo, version_ref, path);
      expect(
        file
          .split('\n')
          .slice((start_line ?? 1) - 1)
          .join('\n'),
      ).toContain(content.trimEnd());
      expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
    }
    expect(job.read).toEqual([
      expect.objectContaining({
        repo: repos[0],
        commit: rover.commitOf('harbor/client'),
        files: 3,
      }),
      expect.objectContaining({ repo: repos[1], complete: true, reason: null }),
    ]);
    expect(job.steps.every(({ status }) => status === 'completed')).toBe(true);
    expect(new Set(job.steps.map(({ kind }) => kind))).toEqual(
      new Set(['understand', 'read', 'search', 'follow', 'check', 'write']),
    );
    expect(job.usage.searches).toBe(job.steps.filter(({ kind }) => kind === 'search').length);
    const { text } = await service.call('GET', `/rover/jobs/${job.id}/stream`);
    const tokens = [...text.matchAll(/event: token\nid: \d+\ndata: (.*)/g)];
    const written = tokens.map(([, data = '']) => (JSON.parse(data) as { token: string }).token);
    expect(written.join('')).toBe(job.answer);
  });

  it('indexes a commit once for all jobs, and shows it to nobody else', async () => {
    const count = async () =>
      (await service.events('JobCompleted')).filter(({ tenant }) => tenant === tenantOf(0)).length;
    const before = await count();
    await ended((await create({ question: QUESTION, repos })).id);
    expect(await count()).toBe(before);
    const { body: sources } = await service.call<{ total: number }>('GET', '/sources');
    expect(sources.total).toBe(0);
    const { body: jobs } = await service.call<{ total: number }>('GET', '/jobs');
    expect(jobs.total).toBe(0);
    const { body: found } = await service.call('POST', '/search', { query: 'RETRY_LIMIT' });
    expect(found['results']).toBeUndefined();
    expect(await rover.used('chunks')).toBe(0);
  });

  it('goes on without a repository that cannot be read, and says why', async () => {
    const some = ['harbor/client', 'harbor/none', 'harbor/empty'];
    const job = await ended((await create({ question: QUESTION, repos: some })).id);
    expect(job.status).toBe('completed');
    expect(job.read.map(({ repo, reason }) => [repo, reason])).toEqual([
      ['harbor/client', null],
      ['harbor/none', 'repository_not_found'],
      ['harbor/empty', 'repository_empty'],
    ]);
  });

  it('fails without any repository, and returns the charge', async () => {
    const before = await charged(1);
    const job = await ended(
      (await create({ question: QUESTION, repos: ['harbor/none'] }, 1)).id,
      1,
    );
    expect(job).toMatchObject({
      status: 'failed',
      answer: null,
      error_message:
        'No repository could be read: harbor/none (the repository does not exist or is private)',
    });
    await service.until(async () => (await charged(1)) === before, 'the returned charge');
  });

  it('gives each tenant its own', async () => {
    const job = await ended((await create({ question: QUESTION, repos }, 1)).id, 1);
    expect(job.status).toBe('completed');
    expect((await service.call('GET', `/rover/jobs/${job.id}`)).status).toBe(404);
    const sources = (await service.events('SourceRegistered')).filter(({ data }) =>
      JSON.stringify(data).includes('harbor/client'),
    );
    expect(sources.map(({ tenant }) => tenant).sort()).toEqual([tenantOf(0), tenantOf(1)].sort());
  });

  it('continues after a stop of the process: the same answer, no step twice, one charge', async () => {
    const first = await ended((await create({ question: QUESTION, repos })).id);
    const before = await charged();
    const { id } = await create({ question: QUESTION, repos });
    for (let stops = 0; stops < 4; stops += 1) {
      const steps = (await get(id)).steps.length;
      await service.until(async () => {
        const job = await get(id);
        return job.steps.length > steps || job.status === 'completed';
      }, 'the next step');
      await service.pipeline?.stop();
      await service.startPipeline();
    }
    const job = await ended(id);
    expect(job.answer).toBe(first.answer);
    expect(job.citations).toEqual(first.citations);
    const ids = job.steps.map((step) => step.id);
    expect(new Set(ids).size).toBe(ids.length);
    const ends = (await service.events('RoverStepCompleted')).filter(
      ({ data }) => data['rover_job_id'] === id,
    );
    expect(ends).toHaveLength(ids.length);
    expect(await charged()).toBe(before + 1);
  });

  it('ends its request to a host when it is cancelled', async () => {
    const { id } = await create({ question: QUESTION, repos: ['slow/harbor'] });
    await service.until(() => Promise.resolve(rover.held.length > 0), 'the request to the host');
    const { body } = await service.call<RoverJobView>('DELETE', `/rover/jobs/${id}`);
    expect(body.status).toBe('cancelled');
    await service.until(
      () => Promise.resolve(rover.held.every((response) => response.destroyed)),
      'the end of the request',
    );
    expect(await get(id)).toMatchObject({ status: 'cancelled', answer: null });
  });

  it('cancels all its syncs when it is cancelled, also those of later steps', async () => {
    const own = ['held/one', 'held/two'];
    for (const repo of own) rover.publish(repo, CLIENT);
    const held = rover.held.length;
    const { id } = await create({ question: QUESTION, repos: own });
    const opened = async () => {
      const sources = (await service.events('SourceRegistered')).filter(({ data }) =>
        JSON.stringify(data).includes('held/'),
      );
      const ids = sources.map(({ data }) => data['source_id']);
      const of = async (type: string) =>
        (await service.events(type)).filter(({ data }) => ids.includes(data['source_id'])).length;
      return { requested: await of('SourceSyncRequested'), cancelled: await of('JobCancelled') };
    };
    await service.until(
      async () => rover.held.length > held && (await opened()).requested === own.length,
      'both syncs',
    );
    await service.call('DELETE', `/rover/jobs/${id}`);
    await service.until(async () => (await opened()).cancelled === own.length, 'their ends');
    await service.until(
      () => Promise.resolve(rover.held.every((response) => response.destroyed)),
      'the end of the requests',
    );
  });

  it('releases its lease when the process stops', async () => {
    const held = rover.held.length;
    const { id } = await create({ question: QUESTION, repos: ['slow/stopped'] });
    await service.until(() => Promise.resolve(rover.held.length > held), 'the request');
    await service.pipeline?.stop();
    const released = (await service.events('RoverLeaseReleased')).map(
      ({ data }) => data['rover_job_id'],
    );
    expect(released.filter((each) => each === id)).toHaveLength(1);
    expect((await get(id)).status).toBe('running');
    await service.startPipeline();
    await service.call('DELETE', `/rover/jobs/${id}`);
  });

  function tenantOf(at: number): string {
    return service.tenants[at]?.tenantId ?? '';
  }
});
