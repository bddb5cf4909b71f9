import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

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
const LIMITED = { status: 429, headers: { 'retry-after': '3600' } };
const FAILING = { status: 503 };

describe('research over repositories that GitHub finds', () => {
  const rover = new RoverService();

  beforeAll(async () => {
    rover.host('kayak/rental', RENTAL, { description: ABOUT });
    rover.host('old/rental', RENTAL, { description: 'Kayak rental service', isArchived: true });
    rover.host('vast/kayak', RENTAL, { description: ABOUT, sizeKib: 2 ** 40 });
    rover.host('kayak/hidden', RENTAL, { description: `${ABOUT}, private` });
    rover.unpublish('kayak/hidden');
    await rover.start();
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
});
