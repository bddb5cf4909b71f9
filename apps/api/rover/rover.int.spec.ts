import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { NO_ROVER_USAGE, type RoverEvent } from '#contracts';
import type { RoverJobList, RoverJobView } from '#contracts/http/index';
import { roverPlaces } from '#domain';
import { sealParts, systemClock } from '#platform';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { openStream, readFrames } from '#test/support/api/read-stream';
import { operatorRun } from '#test/support/operator-run';

import { changePlan } from '../tenants/change-plan.js';

const AT = '2026-05-01T12:00:00.000Z';
const QUESTION = 'Which retry settings of urllib3 does requests use?';

describe('rover jobs', () => {
  let api: ApiHarness;
  let port: number;

  beforeAll(async () => {
    api = await ApiHarness.start({
      environment: { QUOTA_PLANS: JSON.stringify({ standard: {}, small: { rover: { day: 1 } } }) },
    });
    await api.app.listen(0, '127.0.0.1');
    port = (api.app.getHttpServer().address() as AddressInfo).port;
  });
  afterAll(() => api.stop());

  const create = (body: object = {}, options = {}) =>
    api.call<RoverJobView>('POST', '/rover/jobs', { question: QUESTION, ...body }, options);
  const used = async (): Promise<number> => {
    const { body } = await api.call<{ usage: { metric: string; used: number }[] }>(
      'GET',
      '/quota/usage',
    );
    return body.usage.find(({ metric }) => metric === 'rover')?.used ?? NaN;
  };
  const open = (id: string, headers: Record<string, string> = {}) =>
    openStream(port, `/rover/jobs/${id}/stream`, { key: api.keyA, headers });
  const append = (id: string, ...events: RoverEvent[]) =>
    api.append(api.tenantA, `rover-${id}`, ...events);

  const started = (rover_job_id: string, step_id = 's1'): RoverEvent => ({
    type: 'RoverStepStarted',
    data: {
      rover_job_id,
      step_id,
      kind: 'read',
      round: 1,
      ordinal: 0,
      repo: 'team/app',
      attempt: 1,
      worker: 'w',
      started_at: AT,
    },
  });
  const begun = (rover_job_id: string): RoverEvent => ({
    type: 'RoverJobStarted',
    data: { rover_job_id, started_at: AT },
  });
  const ended = (rover_job_id: string, step_id = 's1'): RoverEvent => ({
    type: 'RoverStepCompleted',
    data: {
      rover_job_id,
      step_id,
      attempt: 1,
      outcome: 'failed',
      reason: 'repository_not_found',
      output: null,
      details: {},
      usage: NO_ROVER_USAGE,
      completed_at: AT,
    },
  });
  async function token(rover_job_id: string, part: number, text: string): Promise<RoverEvent> {
    const place = { tenantId: api.tenantA, boundTo: roverPlaces.token(rover_job_id, part) };
    const [sealed = ''] = await sealParts(api.keyRing, place, text, [8_000, 8_000]);
    return { type: 'RoverTokensWritten', data: { rover_job_id, part, sealed } };
  }

  it('are created, charged once, and repeated by their Idempotency-Key', async () => {
    const before = await used();
    const options = { headers: { 'idempotency-key': 'rover-1' } };
    const first = await create({ repos: ['psf/requests'], mode: 'deep' }, options);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      question: QUESTION,
      repos: ['psf/requests'],
      mode: 'deep',
      status: 'pending',
      progress_percent: 0,
      steps: [],
      answer: null,
      citations: [],
      usage: { searches: 0, budget: { seconds: 900, rounds: 4, searches: 60 } },
    });
    const second = await create({ repos: ['psf/requests'], mode: 'deep' }, options);
    expect(second.body).toEqual(first.body);
    expect(await used()).toBe(before + 1);
    const found = await api.call('GET', `/rover/jobs/${first.body.id}`);
    expect(found.body).toEqual(first.body);
  });

  it.each([
    ['no question', { question: undefined }],
    ['a blank question', { question: '  ' }],
    ['a question of 2,001 characters', { question: 'x'.repeat(2_001) }],
    ['an unknown mode', { mode: 'slow' }],
    ['no repositories', { repos: [] }],
    ['a repository that is no name', { repos: ['https://github.com/psf/requests'] }],
    ['an owner with two hyphens', { repos: ['a--b/c'] }],
    ['a name of dots', { repos: ['a/..'] }],
    ['one repository twice', { repos: ['a/b', 'A/B'] }],
    ['four repositories in mode fast', { repos: ['a/b', 'a/c', 'a/d', 'a/e'] }],
    [
      'eleven repositories',
      { mode: 'deep', repos: Array.from({ length: 11 }, (_, at) => `a/r${at}`) },
    ],
    ['an unknown field', { depth: 3 }],
  ])('reject %s and charge nothing', async (_, body) => {
    const before = await used();
    const { status, body: refusal } = await create(body);
    expect([status, refusal['code' as never]]).toEqual([400, 'validation_failed']);
    expect(await used()).toBe(before);
  });

  it('accept a question and repositories at their limits', async () => {
    const repos = Array.from({ length: 10 }, (_, at) => `a/r${at}`);
    const question = '\u{1F50D}'.repeat(2_000);
    const { status, body } = await create({ question, repos, mode: 'deep' });
    expect(status).toBe(201);
    const { body: found } = await api.call<RoverJobView>('GET', `/rover/jobs/${body.id}`);
    expect(found.question).toBe(question);
    expect(found.repos).toEqual(repos);
  });

  it('are listed for their tenant, newest first, by page', async () => {
    const ids = [];
    for (let at = 0; at < 3; at += 1) ids.unshift((await create()).body.id);
    const page = async (query: string, key = api.keyA) =>
      (await api.call<RoverJobList>('GET', `/rover/jobs${query}`, undefined, { key })).body;
    const first = await page('?per_page=2');
    expect(first).toMatchObject({ page: 1, per_page: 2 });
    const second = await page('?per_page=2&page=2');
    const listed = [...first.jobs, ...second.jobs].map(({ id }) => id);
    expect(listed.slice(0, 3)).toEqual(ids);
    expect(new Set(listed).size).toBe(4);
    expect(await page('', api.keyB)).toEqual({ jobs: [], total: 0, page: 1, per_page: 20 });
    for (const query of ['?page=0', '?per_page=101', '?skip=1'])
      expect((await api.call('GET', `/rover/jobs${query}`)).status).toBe(400);
  });

  it('answer unknown, malformed and foreign ids alike', async () => {
    const { body } = await create();
    for (const [id, key] of [
      [unknownId(), api.keyA],
      ['x', api.keyA],
      [body.id, api.keyB],
    ] as const) {
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['GET', '/stream'],
      ] as const) {
        const answer = await api.call(method, `/rover/jobs/${id}${path}`, undefined, { key });
        expect([id, answer.status, answer.body['code']]).toEqual([id, 404, 'rover_job_not_found']);
      }
    }
  });

  it('are cancelled while they are open', async () => {
    const { body } = await create();
    const cancel = () => api.call<RoverJobView>('DELETE', `/rover/jobs/${body.id}`);
    const first = await cancel();
    expect([first.status, first.body.status]).toEqual([200, 'cancelled']);
    expect(await cancel()).toMatchObject({ status: 200, body: first.body });
    const { body: other } = await create();
    await append(other.id, {
      type: 'RoverJobFailed',
      data: { rover_job_id: other.id, error_message: 'No repository could be read', failed_at: AT },
    });
    const refused = await api.call('DELETE', `/rover/jobs/${other.id}`);
    expect([refused.status, refused.body['code']]).toEqual([409, 'rover_job_finished']);
  });

  it('are streamed live and to their end', async () => {
    const { body } = await create({ repos: ['team/app'] });
    const reading = readFrames(await open(body.id));
    await append(body.id, begun(body.id), started(body.id), ended(body.id));
    await append(
      body.id,
      await token(body.id, 0, 'The answer '),
      await token(body.id, 1, 'is 42.'),
    );
    await append(body.id, {
      type: 'RoverJobFailed',
      data: { rover_job_id: body.id, error_message: 'No repository could be read', failed_at: AT },
    });
    const seen = await reading;
    expect(seen.map(({ event, id }) => [event, id])).toEqual([
      ['status', '0'],
      ['status', '1'],
      ['step', '2'],
      ['step', '3'],
      ['token', '4'],
      ['token', '5'],
      ['done', '6'],
    ]);
    expect(seen[2]?.data).toMatchObject({ title: 'Read team/app', status: 'running' });
    expect(seen[3]?.data).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/private/),
    });
    expect(seen[4]?.data).toEqual({ token: 'The answer ' });
    expect(seen[6]?.data).toMatchObject({
      status: 'failed',
      error_message: 'No repository could be read',
    });
  });

  it('give readers that drop at every event each id once', async () => {
    const { body } = await create();
    await append(body.id, started(body.id), ended(body.id), started(body.id, 's2'));
    for (let part = 0; part < 4; part += 1) await append(body.id, await token(body.id, part, 'x'));
    await api.call('DELETE', `/rover/jobs/${body.id}`);
    const whole = (await readFrames(await open(body.id))).flatMap(({ id }) => id ?? []);
    expect(whole).toHaveLength(9);
    for (let drop = 1; drop < whole.length; drop += 1) {
      const last = whole[drop - 1] ?? '';
      const rest = await readFrames(await open(body.id, { 'last-event-id': last }));
      expect(rest.flatMap(({ id }) => id ?? [])).toEqual(whole.slice(drop));
    }
    expect(await readFrames(await open(body.id, { 'last-event-id': whole.at(-1) ?? '' }))).toEqual(
      [],
    );
    expect((await open(body.id, { 'last-event-id': 'x' })).statusCode).toBe(400);
  });

  it('are limited by the quota of the plan', async () => {
    const options = { key: api.keyB };
    await changePlan(api.store, systemClock, api.tenantB, 'small', operatorRun('tenant'));
    const plan = async () => (await api.call('GET', '/quota', undefined, options)).body['plan'];
    while ((await plan()) !== 'small') await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await create({}, options)).status).toBe(201);
    const { status, body } = await create({}, options);
    expect([status, body['code' as never]]).toEqual([429, 'quota_exceeded']);
  });
});
