import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RoverJobView } from '#contracts/http/index';
import type { RoverKillPoint } from '#test/support/kill-points/rover-kill-points';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import { KilledRover, roverResultOf } from '#test/support/research/killed-rover';
import { decisionOf, DECISIONS, plannerScript } from '#test/support/research/scripted-planner';

const MOST_MS = 900_000;
/** Steps with a decision of the model, in their order; `write` is the draft. */
const DECIDING = ['understand', 'choose', 'follow', 'check', 'write'] as const;
/** A death before an output is stored repeats its request; a death after that must not. */
const POINTS: readonly RoverKillPoint[] = DECIDING.flatMap((kind) => [
  { kind, moment: 'ending' },
  { kind, moment: 'ended' },
]);

describe('kill -9 of the whole service in each decision of a model', () => {
  const rover = new KilledRover();
  let endpoint: OpenAiEndpoint;
  let killed: RoverJobView;
  let undisturbed: RoverJobView;
  let callsAfterKills: string[];
  let callsUndisturbed: string[];

  const calls = () => endpoint.chats.splice(0).map(({ body }) => decisionOf(body) ?? 'none');
  const counts = (names: readonly string[]) =>
    Object.fromEntries(
      DECISIONS.map((name) => [name, names.filter((each) => each === name).length]),
    );

  beforeAll(async () => {
    endpoint = await OpenAiEndpoint.start();
    endpoint.structured = plannerScript();
    await rover.open({
      ROVER_FAST: JSON.stringify({ seconds: 3_600, rounds: 2, model_calls: 20 }),
      CHAT_MODEL: 'scripted-planner',
      CHAT_BASE_URL: endpoint.url,
    });
    killed = await rover.killedJob(POINTS);
    callsAfterKills = calls();
    undisturbed = await rover.undisturbedJob();
    callsUndisturbed = calls();
  }, MOST_MS);
  afterAll(async () => {
    await rover.close();
    await endpoint.close();
  });

  it('dies before and after each stored decision, and completes the job by the model', () => {
    expect(rover.deaths).toEqual(POINTS);
    expect(killed).toMatchObject({ status: 'completed', error_message: null });
    expect(killed.sections.map(({ title }) => title)).toContain('Reader');
  });

  it('gives the same answer to the byte as a job without a kill', () => {
    expect(killed.citations.length).toBeGreaterThan(0);
    expect(roverResultOf(killed)).toBe(roverResultOf(undisturbed));
  });

  it('repeats only the request in hand, and uses each stored output', () => {
    const usual = counts(callsUndisturbed);
    expect(Object.values(usual).every((count) => count > 0)).toBe(true);
    // Five deaths hit a step before its output was stored. Each repeats one request.
    expect(callsAfterKills).toHaveLength(callsUndisturbed.length + DECIDING.length);
    expect(killed.usage.model_calls).toBe(undisturbed.usage.model_calls);
  });
});
