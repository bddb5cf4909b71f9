import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { JobEnded } from '#apps/pipeline/worker/active-runs';
import type { RoverResult } from '#contracts';
import { createChatModel } from '#models';
import { loadConfig, silentLogger, systemClock } from '#platform';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import { DEATHS, DyingStore } from '#test/support/research/dying-store';
import {
  decisionOf,
  DECISIONS,
  type DecisionScript,
  plannerScript,
} from '#test/support/research/scripted-planner';
import { StoredRoverJobs } from '#test/support/research/stored-rover-jobs';

const QUESTION = 'Which buffer size does the reader pass to allocate_ring of the ring library?';
const KINDS = ['understand', 'choose', 'read', 'search', 'follow', 'check', 'write'] as const;
const MODEL = 'scripted-planner';
/** Rounds and calls for every kind of decision. */
const BUDGET = { rounds: 2, model_calls: 20 };

describe('runRoverJob with a model', () => {
  let jobs: StoredRoverJobs;
  let endpoint: OpenAiEndpoint;

  beforeAll(async () => {
    jobs = await StoredRoverJobs.open();
    endpoint = await OpenAiEndpoint.start();
    const config = loadConfig(
      { DATA_DIR: '/', CHAT_MODEL: MODEL, CHAT_BASE_URL: endpoint.url },
      '/',
    );
    const clock = systemClock;
    jobs.chatModel = await createChatModel({ config, clock, logger: silentLogger });
  });
  afterAll(async () => {
    await endpoint.close();
    jobs.close();
  });
  beforeEach(() => {
    endpoint.structured = plannerScript();
    endpoint.chats.length = 0;
  });
  afterEach(() => {
    endpoint.always = undefined;
    endpoint.next.length = 0;
  });

  async function finished(script: DecisionScript = {}, budget: object = BUDGET) {
    endpoint.structured = plannerScript(script);
    const id = await jobs.request(QUESTION, budget);
    await jobs.work(id);
    return { id, result: await parsed(id) };
  }
  const parsed = async (id: string) =>
    JSON.parse((await jobs.resultOf(id)) ?? 'null') as RoverResult;
  const kindOfStep = (id: string) => {
    const starts = jobs.eventsOf(id, 'RoverStepStarted');
    return new Map(
      starts.map((each) => [each['step_id'], `${String(each['kind'])} ${String(each['ordinal'])}`]),
    );
  };
  const plannedOf = (id: string) => {
    const kinds = kindOfStep(id);
    return jobs
      .eventsOf(id, 'RoverStepCompleted')
      .flatMap(({ step_id, planned }) => (planned ? [[kinds.get(step_id), planned]] : []));
  };
  const asked = () => endpoint.chats.map(({ body }) => decisionOf(body));
  const callsOf = (id: string) =>
    jobs
      .eventsOf(id, 'RoverStepCompleted')
      .reduce((sum, { usage }) => sum + (usage as { model_calls: number }).model_calls, 0);

  it('decides each kind of step by listed items, and says so', async () => {
    const { id, result } = await finished();
    expect(new Set(asked())).toEqual(new Set(DECISIONS));
    expect(plannedOf(id)).toEqual([
      ['understand 0', { by: 'model', model: MODEL }],
      ['choose 0', { by: 'model', model: MODEL }],
      ['follow 0', { by: 'model', model: MODEL }],
      ['check 0', { by: 'model', model: MODEL }],
      ['write 1', { by: 'model', model: MODEL }],
    ]);
    expect(callsOf(id)).toBe(endpoint.chats.length);
    expect(result.planner).toBe(MODEL);
    expect(result.read.map(({ repo }) => repo)).toEqual(['ring/ring', 'ring/reader']);
    expect(result.sections.map(({ title }) => title)).toEqual(['Reader']);
  });

  it('stores the draft before the answer uses it', async () => {
    const { id } = await finished();
    const kinds = kindOfStep(id);
    const order = jobs.log.events
      .filter(({ stream }) => stream === `rover-${id}`)
      .map(({ type, data }) => `${type} ${kinds.get(data['step_id']) ?? ''}`.trim());
    const draft = order.indexOf('RoverStepCompleted write 1');
    expect(draft).toBeGreaterThan(0);
    expect(order.indexOf('RoverStepStarted write 0')).toBeGreaterThan(draft);
  });

  it('keeps nothing of model and prompt in the clear', async () => {
    const { id } = await finished();
    const events = jobs.log.events.filter(({ stream }) => stream === `rover-${id}`);
    const text = JSON.stringify(events.map(({ data }) => data));
    expect(text).not.toContain('allocate_ring');
    expect(text).not.toContain('The reader passes');
  });

  it('sends one repair with the problem, then the rules plan', async () => {
    const unlisted = { understanding: () => ({ kind: 'how', names: ['w999'], terms: [] }) };
    const { id } = await finished(unlisted);
    const repairs = endpoint.chats.filter(({ body }) => decisionOf(body) === 'understanding');
    expect(repairs).toHaveLength(2);
    const last = repairs.at(-1)?.body.messages.at(-1)?.content;
    expect(last).toContain('These ids are not listed: "w999"');
    expect(plannedOf(id)[0]).toEqual(['understand 0', { by: 'rules', why: 'model_rejected' }]);
  });

  it('accepts a repaired answer', async () => {
    let answers = 0;
    const { id } = await finished({
      understanding: () => ({ kind: 'how', names: [], terms: [answers++ === 0 ? 'x' : 'w1'] }),
    });
    expect(answers).toBe(2);
    expect(plannedOf(id)[0]).toEqual(['understand 0', { by: 'model', model: MODEL }]);
  });

  it('gives the answer of the rules where the model is away', async () => {
    endpoint.always = { kind: 'status', status: 401 };
    const { id, result } = await finished();
    const rules = await StoredRoverJobs.open();
    const other = await rules.request(QUESTION, BUDGET);
    await rules.work(other);
    expect(JSON.stringify(result)).toBe(await rules.resultOf(other));
    rules.close();
    const reasons = plannedOf(id).map(([, planned]) => planned);
    expect(new Set(reasons.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify({ by: 'rules', why: 'model_unavailable' })]),
    );
    expect(callsOf(id)).toBe(0);
  });

  it('makes no more calls than its budget, and keeps one for the answer', async () => {
    const { id } = await finished({}, { rounds: 2, model_calls: 2 });
    expect(asked()).toEqual(['understanding', 'answer']);
    expect(callsOf(id)).toBe(2);
    const why = plannedOf(id).slice(1, -1);
    expect(why.every(([, planned]) => JSON.stringify(planned).includes('model_budget'))).toBe(true);
  });

  it('sends no prompt beyond its tokens', async () => {
    await finished({}, { ...BUDGET, prompt_tokens: 10 });
    expect(endpoint.chats).toEqual([]);
  });

  it('lets no invented id, line, number, name or repository through', async () => {
    const claims = [
      { text: 'The reader passes 4096 to `allocate_ring`.', passages: ['p2', 'p99'] },
      { text: 'The reader passes 8192 to `allocate_ring`.', passages: ['p2'] },
      { text: 'The reader calls `allocate_pool` of the ring.', passages: ['p2'] },
      { text: 'The ring is in evil/other and the reader passes it.', passages: ['p2'] },
      { text: 'Line 77 of the reader allocates the ring.', passages: ['p2'] },
      { text: 'The reader passes the ring size.', passages: ['p99'] },
    ];
    const answer = () => ({ sections: [{ title: 'By evil/other', claims }], not_found: [] });
    const { result } = await finished({ answer });
    const shown = JSON.stringify({ ...result, read: [], citations: [], searches: [] });
    for (const invented of ['8192', 'allocate_pool', 'evil', '77', 'p99'])
      expect(shown).not.toContain(invented);
    expect(result.sections).toMatchObject([
      { title: 'Findings', claims: [{ text: claims[0]?.text, citations: ['1'] }] },
    ]);
    expect(result.not_found).toContain('A statement without support was removed.');
  });

  it.each(KINDS)('after three deaths in %s gives the same result to the byte', async (kind) => {
    const undisturbed = await finished();
    const calls = endpoint.chats.length;
    endpoint.chats.length = 0;
    const id = await jobs.request(QUESTION, BUDGET);
    for (const moment of DEATHS) {
      const store = new DyingStore(jobs.log, kind, moment);
      await expect(jobs.work(id, store)).rejects.toThrow('The process was killed');
    }
    await jobs.work(id);
    expect(await jobs.resultOf(id)).toBe(await jobs.resultOf(undisturbed.id));
    const ends = jobs.eventsOf(id, 'RoverStepCompleted').map(({ step_id }) => step_id);
    expect(new Set(ends).size).toBe(ends.length);
    expect(callsOf(id)).toBe(calls);
    // A death before the end of a step repeats its call, and no other.
    expect(endpoint.chats.length - calls).toBeLessThanOrEqual(DEATHS.length - 1);
  });

  it.each(['understanding', 'choice', 'next_searches', 'answer'] as const)(
    'ends the request for %s when the job is cancelled, and sends no other',
    async (decision) => {
      let isHeld = false;
      const held = Promise.withResolvers<never>();
      endpoint.holdStructured = (body) => {
        if (decisionOf(body) !== decision) return undefined;
        isHeld = true;
        return held.promise;
      };
      const id = await jobs.request(QUESTION, BUDGET);
      const controller = new AbortController();
      const work = jobs.work(id, jobs.log, controller);
      while (!isHeld) await new Promise((resolve) => setTimeout(resolve, 5));
      const sent = endpoint.chats.length;
      controller.abort(new JobEnded());
      await work;
      while (endpoint.active > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(endpoint.chats).toHaveLength(sent);
      expect(jobs.eventsOf(id, 'RoverJobCompleted')).toHaveLength(0);
      endpoint.holdStructured = undefined;
    },
  );

  it('ends a draft that a worker with a model began', async () => {
    const id = await jobs.request(QUESTION, BUDGET);
    const store = new DyingStore(jobs.log, 'write', 'started');
    await expect(jobs.work(id, store)).rejects.toThrow('The process was killed');
    const { chatModel } = jobs;
    jobs.chatModel = null;
    await jobs.work(id);
    jobs.chatModel = chatModel;
    expect(jobs.eventsOf(id, 'RoverJobCompleted')).toHaveLength(1);
    expect((await parsed(id)).sections.map(({ title }) => title)).not.toContain('Reader');
  });
});
