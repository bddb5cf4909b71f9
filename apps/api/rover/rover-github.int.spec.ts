import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { removeSource } from '#apps/pipeline/erasure/remove-source';
import type { RoverReceiptView, RoverVerificationView } from '#contracts/http/index';
import { systemClock } from '#platform';
import { unknownId } from '#test/support/api/api-harness';
import { RoverService } from '#test/support/research/rover-service';

const QUESTION = 'Where does the kayak rental service compute the deposit of a booking?';
const RENTAL = {
  'rental/deposit.py':
    'DEPOSIT_RATE = 0.25\n\n\ndef deposit_of(booking):\n' +
    '    """Computes the deposit of a booking of the kayak rental service."""\n' +
    '    return booking.price * DEPOSIT_RATE\n',
  'README.md': '# Kayak rental service\n\nTakes bookings and computes the deposit.\n',
};
const ABOUT = 'Kayak rental service: booking deposit compute';
const SEARCH = '/search/repositories';
const CAUSE = {
  correlationId: 'c',
  causationId: 'c',
  actor: { type: 'system', id: 'test' },
} as const;
const LIMITED = { status: 429, headers: { 'retry-after': '3600' } };
const FAILING = { status: 503 };

describe('research over repositories of a host', () => {
  const rover = new RoverService();

  beforeAll(async () => {
    rover.host('kayak/rental', RENTAL, { description: ABOUT });
    rover.host('old/rental', RENTAL, { description: 'Kayak rental service', isArchived: true });
    rover.host('vast/kayak', RENTAL, { description: ABOUT, sizeKib: 2 ** 40 });
    rover.host('kayak/hidden', RENTAL, { description: `${ABOUT}, private` });
    rover.unpublish('kayak/hidden');
    await rover.start({ ROVER_FAST: JSON.stringify({ seconds: 3_600 }) });
  });
  afterAll(() => rover.stop());

  it('finds repositories by its searches, and answers from those that can be read', async () => {
    const job = await rover.finished({ question: QUESTION });
    expect(job).toMatchObject({ status: 'completed', error_message: null, repos: [] });
    const read = new Map(job.read.map((each) => [each.repo, each.reason]));
    expect(read.get('kayak/rental')).toBeNull();
    expect(read.get('vast/kayak')).toBe('repository_too_large');
    expect(read.get('kayak/hidden')).toBe('repository_not_found');
    expect(job.answer).toContain('deposit_of');
    expect(job.citations.map(({ repo }) => repo)).toContain('kayak/rental');
    const choose = job.steps.find(({ kind }) => kind === 'choose');
    expect(choose).toMatchObject({ status: 'completed', title: 'Choose repositories' });
    expect(choose?.detail).toMatch(/^searches: \d, repositories: \d$/);
    const searches = rover.github.log.filter(({ resource }) => resource === 'search');
    expect(searches.length).toBeLessThanOrEqual(3);
    expect(rover.git.requests.some((request) => request.includes('vast/kayak'))).toBe(false);
  });

  it('reads a named repository that is described as too large no further', async () => {
    const job = await rover.finished({ question: QUESTION, repos: ['kayak/rental', 'vast/kayak'] });
    expect(job.read.map(({ repo, reason }) => [repo, reason])).toEqual([
      ['kayak/rental', null],
      ['vast/kayak', 'repository_too_large'],
    ]);
  });

  it('reads the smallest repository first, and reports them as they were named', async () => {
    rover.host('kayak/large', RENTAL, { sizeKib: 5_000 });
    rover.host('kayak/small', RENTAL, { sizeKib: 3 });
    const repos = ['kayak/large', 'kayak/small'];
    const job = await rover.finished({ question: QUESTION, repos });
    expect(job.read.map(({ repo, complete }) => [repo, complete])).toEqual([
      ['kayak/large', true],
      ['kayak/small', true],
    ]);
    const reads = job.steps.filter(({ kind }) => kind === 'read').map(({ title }) => title);
    expect(reads).toEqual(['Read kayak/small', 'Read kayak/large']);
  });

  it('names a renamed repository by its new name in answer, receipt and verification', async () => {
    const commit = rover.host('kayak/renamed', RENTAL);
    const location = '/repos/kayak/renamed';
    rover.github.prescribe('/repos/kayak/former', { status: 301, headers: { location } });
    const repos = ['kayak/former', 'kayak/renamed'];
    const job = await rover.finished({ question: QUESTION, repos });
    const read = { repo: 'kayak/renamed', commit, complete: true };
    expect(job).toMatchObject({ status: 'completed', repos, read: [read, read] });
    expect(new Set(job.citations.map(({ repo }) => repo))).toEqual(new Set(['kayak/renamed']));
    expect(job.answer).not.toContain('kayak/former');
    const { body: receipt } = await rover.service.call<RoverReceiptView>(
      'GET',
      `/receipts/${job.receipt_id}`,
    );
    expect(receipt.citations).toEqual(job.citations);
    expect(receipt.read).toMatchObject([read, read]);
    const path = `/rover/jobs/${job.id}/verify`;
    const { body } = await rover.service.call<RoverVerificationView>('POST', path);
    expect(body.matches).toBe(job.citations.length);
  });

  it('reads a named repository without the API of the host', async () => {
    rover.github.prescribe('/repos/kayak/rental', FAILING, FAILING, FAILING, FAILING);
    const job = await rover.finished({ question: QUESTION, repos: ['kayak/rental'] }, 1);
    expect(job).toMatchObject({ status: 'completed', read: [{ complete: true }] });
  });

  it('says that a repository is blocked, and goes on with the others', async () => {
    rover.host('kayak/blocked', RENTAL);
    rover.github.prescribe('/repos/kayak/blocked', { status: 451 });
    const repos = ['kayak/blocked', 'kayak/rental'];
    const job = await rover.finished({ question: QUESTION, repos });
    expect(job.read.map(({ reason }) => reason)).toEqual(['repository_unavailable', null]);
  });

  it('prefers the repositories that the question names, if they exist', async () => {
    const job = await rover.finished({ question: `${QUESTION} See old/rental or price/booking.` });
    expect(job.read.map(({ repo, reason }) => [repo, reason])).toEqual([
      ['old/rental', null],
      ['price/booking', 'repository_not_found'],
    ]);
  });

  it('fails if no repository is found, and returns the charge', async () => {
    const before = await rover.used('rover', 1);
    const job = await rover.finished({ question: 'Where is the zzyzx turbine calibrated?' }, 1);
    expect(job).toMatchObject({
      status: 'failed',
      error_message: 'No repository was found; name some in `repos`',
    });
    await rover.service.until(
      async () => (await rover.used('rover', 1)) === before,
      'the returned charge',
    );
  });

  it('goes on with what it found before a limit of the host', async () => {
    const question = 'Why does the kayak rental service charge a deposit for group bookings?';
    rover.github.prescribe(SEARCH, { status: 200, body: rover.results(['kayak/rental']) });
    rover.github.prescribe(SEARCH, LIMITED);
    const job = await rover.finished({ question });
    expect(job.steps.find(({ kind }) => kind === 'choose')).toMatchObject({
      status: 'failed',
      detail: 'GitHub allows no more requests at present',
    });
    expect(job.status).toBe('completed');
    expect(job.read.map(({ repo }) => repo)).toEqual(['kayak/rental']);
    const other = await rover.finished({ question: 'Where is the paddle inventory counted?' });
    expect(other).toMatchObject({
      status: 'failed',
      error_message:
        'No repository was found: GitHub allows no more requests at present; ' +
        'name some in `repos`',
    });
    expect(rover.github.exceeded).toBe(0);
  });

  describe('after its end', () => {
    const answered = async (repo: string) => {
      rover.publish(repo, RENTAL);
      const job = await rover.finished({ question: QUESTION, repos: [repo] });
      expect(job.citations.length).toBeGreaterThan(0);
      return job;
    };
    const verified = async (id: string) => {
      const path = `/rover/jobs/${id}/verify`;
      const { status, body } = await rover.service.call<RoverVerificationView>('POST', path);
      expect(status).toBe(200);
      return body;
    };
    const statuses = ({ citations }: RoverVerificationView) =>
      new Set(citations.map(({ status }) => status));

    it('has a receipt that outlives its sources', async () => {
      const job = await answered('kayak/kept');
      const [attached] = (await rover.service.events('RoverRepositoryAttached')).filter(
        (event) => event.data['rover_job_id'] === job.id,
      );
      await removeSource(
        { store: rover.service.engines.eventStore, clock: systemClock },
        String(attached?.data['source_id']),
        { tenantId: rover.service.tenants[0]?.tenantId ?? '', ...CAUSE },
      );
      const path = `/receipts/${job.receipt_id}`;
      const { body } = await rover.service.call<RoverReceiptView>('GET', path);
      expect(body).toMatchObject({
        id: job.id,
        kind: 'rover',
        question: QUESTION,
        erased: false,
        read: [{ repo: 'kayak/kept', commit: rover.commitOf('kayak/kept') }],
        policy_revision: null,
        policy: { enforce_refusal: false },
        planner: 'rules',
        citations: job.citations,
      });
      expect(body.searches).toHaveLength(job.usage.searches);
      for (const { path: file, blob_id } of body.citations)
        expect(blob_id).toBe(rover.blobOf('kayak/kept', file));
      for (const [key, tenant] of [
        [job.id, 1],
        [unknownId(), 0],
      ] as const) {
        const other = await rover.service.call('GET', `/receipts/${key}`, undefined, { tenant });
        expect([other.status, other.body['code']]).toEqual([404, 'receipt_not_found']);
      }
    });

    it('matches while its commits are there, also behind newer ones', async () => {
      const job = await answered('kayak/stable');
      const verification = await verified(job.id);
      expect(verification).toMatchObject({ id: job.id, matches: job.citations.length });
      expect(statuses(verification)).toEqual(new Set(['matches']));
      rover.push('kayak/stable', { 'rental/deposit.py': 'DEPOSIT_RATE = 1\n' });
      expect(statuses(await verified(job.id))).toEqual(new Set(['matches']));
    });

    it('is changed after a rewrite of the history', async () => {
      const job = await answered('kayak/rewritten');
      const commit = rover.rewrite('kayak/rewritten', { ...RENTAL, 'NEW.md': 'New.\n' });
      const { citations } = await verified(job.id);
      expect(citations[0]).toMatchObject({
        status: 'changed',
        detail: `The host no longer has the commit; ${commit} has the same text in these lines`,
      });
      const next = rover.rewrite('kayak/rewritten', { 'rental/deposit.py': 'RATE = 1\n' });
      const later = await verified(job.id);
      expect(later.citations.find(({ path }) => path === 'rental/deposit.py')).toMatchObject({
        status: 'changed',
        detail: `The host no longer has the commit; ${next} has another text in these lines`,
      });
      expect(later.citations.filter(({ path }) => path === 'README.md')).toEqual(
        later.citations.filter(({ status }) => status === 'gone'),
      );
    });

    it('is gone with its repository', async () => {
      const job = await answered('kayak/vanished');
      rover.unpublish('kayak/vanished');
      expect(await verified(job.id)).toMatchObject({ matches: 0, changed: 0 });
    });

    it('has no verdict while the host is unavailable', async () => {
      const job = await answered('kayak/away');
      rover.away.add('kayak/away');
      const path = `/rover/jobs/${job.id}/verify`;
      const answer = await rover.service.call('POST', path);
      expect([answer.status, answer.body['code']]).toEqual([502, 'repository_host_unavailable']);
      rover.away.delete('kayak/away');
      expect(statuses(await verified(job.id))).toEqual(new Set(['matches']));
    });

    it('is verified only for its tenant, and only with an answer', async () => {
      const job = await answered('kayak/own');
      const verify = async (id: string, tenant: number) => {
        const path = `/rover/jobs/${id}/verify`;
        const { status, body } = await rover.service.call('POST', path, undefined, { tenant });
        return [status, body['code']];
      };
      expect(await verify(job.id, 1)).toEqual([404, 'rover_job_not_found']);
      const failed = await rover.finished({ question: QUESTION, repos: ['no/body'] });
      expect(await verify(failed.id, 0)).toEqual([409, 'rover_job_not_completed']);
      expect(failed.receipt_id).toBeNull();
    });
  });
});
