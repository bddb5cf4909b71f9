import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RoverJobView, RoverReceiptView, RoverVerificationView } from '#contracts/http/index';
import type { PackagesService } from '#test/support/packages-service';
import { RoverService } from '#test/support/research/rover-service';

const QUESTION = 'Which limit does the lock pass to acquire_mooring of the mooring?';
const MOORING = {
  'mooring.py':
    'MOORING_LIMIT = 4\n\n\ndef acquire_mooring(limit=MOORING_LIMIT):\n' +
    '    """Acquires a mooring within the limit of the lock."""\n    return limit\n',
  'docs/guide.md': '# Mooring\n\nThe lock passes a limit to acquire_mooring.\n',
};

describe('rover jobs and the sources of their tenant', () => {
  const rover = new RoverService();
  let service: PackagesService;
  let gitUrl: string;

  beforeAll(async () => {
    await rover.start();
    ({ service } = rover);
    ({ gitUrl } = service.engines.config.github);
  });
  afterAll(() => rover.stop());

  const call = async <Body>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const answer = await service.call<Body>(method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const synced = (id: string, commit: string) =>
    service.until(async () => {
      const source = await call<{ status: string; version_ref: string }>('GET', `/sources/${id}`);
      return source.status === 'synced' && source.version_ref === commit;
    }, `the sync of ${id}`);
  /** Registers a repository as a source of the first tenant, and syncs it. */
  const register = async (repo: string, url: string, about: object = {}) => {
    const body = { name: repo, source_type: 'repo', url, ...about };
    const { id } = await call<{ id: string }>('POST', '/sources', body);
    await call('POST', `/sources/${id}/sync`);
    await synced(id, rover.commitOf(repo));
    return id;
  };
  const origins = ({ read }: RoverJobView) => read.map(({ repo, origin }) => [repo, origin]);
  const attachments = async (job: RoverJobView) =>
    (await service.events('RoverRepositoryAttached'))
      .filter(({ data }) => data['rover_job_id'] === job.id)
      .map(({ data }) => [data['repo'], data['origin']]);
  const clones = (repo: string) =>
    rover.git.requests.filter((request) => request.includes(`/${repo}/`)).length;
  /** Returns what jobs of two tenants have in common. */
  const resultOf = ({ sections, citations }: RoverJobView) =>
    JSON.stringify({ sections, cited: citations.map(({ path, sha256 }) => [path, sha256]) });
  const answered = async (repos: readonly string[], tenant = 0) => {
    const job = await rover.finished({ question: QUESTION, repos }, tenant);
    expect(job).toMatchObject({ status: 'completed', error_message: null });
    expect(job.citations.length).toBeGreaterThan(0);
    return job;
  };

  it('read their own source at its commit, and nothing is synced', async () => {
    rover.publish('mooring/own', MOORING);
    const sourceId = await register('mooring/own', `${gitUrl}/mooring/own/`);
    const before = (await service.events('JobRequested')).length;
    const job = await answered(['mooring/own']);
    expect(origins(job)).toEqual([['mooring/own', 'tenant']]);
    expect(job.read).toMatchObject([{ complete: true, files: 2, reason: null }]);
    expect((await service.events('JobRequested')).length).toBe(before);
    expect(new Set(job.citations.map(({ source_id }) => source_id))).toEqual(new Set([sourceId]));
    for (const { path, version_ref, content, blob_id } of job.citations) {
      expect(version_ref).toBe(rover.commitOf('mooring/own'));
      expect(rover.show('mooring/own', version_ref, path)).toContain(content.trimEnd());
      expect(blob_id).toBe(rover.blobOf('mooring/own', path));
    }
    const receipt = await call<RoverReceiptView>('GET', `/receipts/${job.receipt_id}`);
    expect(receipt).toMatchObject({ read: job.read, citations: job.citations });
    const verify = `/rover/jobs/${job.id}/verify`;
    const { length: matches } = job.citations;
    expect(await call<RoverVerificationView>('POST', verify)).toMatchObject({ matches });

    const foreign = await answered(['mooring/own'], 1);
    expect(origins(foreign)).toEqual([['mooring/own', 'temporary']]);
    expect(foreign.citations.some(({ source_id }) => source_id === sourceId)).toBe(false);
    expect(resultOf(foreign)).toBe(resultOf(job));
  });

  it('read a temporary source if their own leaves out files, or has another commit', async () => {
    rover.publish('mooring/part', MOORING);
    await register('mooring/part', `${gitUrl}/mooring/part`, { exclude_patterns: ['docs/**'] });
    expect(origins(await answered(['mooring/part']))).toEqual([['mooring/part', 'temporary']]);
    rover.publish('mooring/behind', MOORING);
    await register('mooring/behind', `${gitUrl}/mooring/behind`);
    rover.push('mooring/behind', { 'more.py': 'MORE = 1\n' });
    const job = await answered(['mooring/behind']);
    expect(job.read).toMatchObject([{ commit: rover.commitOf('mooring/behind'), files: 3 }]);
    expect(origins(job)).toEqual([['mooring/behind', 'temporary']]);
  });

  it('end with their own source although it is superseded or removed while they run', async () => {
    rover.publish('held/lake', { 'lake.py': 'LAKE = 1\n' });
    for (const repo of ['mooring/later', 'mooring/removed']) rover.publish(repo, MOORING);
    const later = await register('mooring/later', `${gitUrl}/mooring/later`);
    const removed = await register('mooring/removed', `${gitUrl}/mooring/removed`);
    const commit = rover.commitOf('mooring/later');
    const repos = ['mooring/later', 'mooring/removed', 'held/lake'];
    const { id } = await rover.create({ question: QUESTION, repos });
    await service.until(async () => {
      const attached = await attachments({ id } as RoverJobView);
      return attached.length === repos.length && rover.held.length > 0;
    }, 'the third repository');

    rover.push('mooring/later', { 'mooring.py': 'MOORING_LIMIT = 5\n' });
    await call('POST', `/sources/${later}/sync`);
    await synced(later, rover.commitOf('mooring/later'));
    await call('DELETE', `/sources/${removed}`);
    await service.until(
      async () =>
        (await service.events('GenerationDropped')).some(
          ({ data }) => data['source_id'] === removed,
        ),
      'the end of the removed source',
    );
    rover.release();

    const job = await rover.ended(id);
    expect(job).toMatchObject({ status: 'completed', error_message: null });
    expect(origins(job)).toEqual([
      ['mooring/later', 'tenant'],
      ['mooring/removed', 'temporary'],
      ['held/lake', 'temporary'],
    ]);
    expect(await attachments(job)).toEqual([
      ['mooring/later', 'tenant'],
      ['mooring/removed', 'tenant'],
      ['held/lake', 'temporary'],
      ['mooring/removed', 'temporary'],
    ]);
    expect(job.usage.repositories).toBe(repos.length);
    expect(job.steps.every(({ status }) => status === 'completed')).toBe(true);
    const cited = new Map(job.citations.map(({ repo, version_ref }) => [repo, version_ref]));
    expect(cited.get('mooring/later')).toBe(commit);
    expect(cited.get('mooring/removed')).toBe(rover.commitOf('mooring/removed'));
    expect(clones('mooring/removed')).toBeGreaterThan(0);
  });
});
