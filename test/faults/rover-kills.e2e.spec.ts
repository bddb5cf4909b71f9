import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { askOwner } from '#apps/standalone/admin/socket';
import type { RoverJobView } from '#contracts/http/index';
import { ROVER_STEP_KINDS } from '#contracts/rover/rover-job';
import { ApiClient } from '#test/support/api-client';
import { ROVER_KILL_POINTS } from '#test/support/kill-points/rover-kill-points';
import { KilledRover, ROVER_START_MS, roverResultOf } from '#test/support/research/killed-rover';

const MOST_MS = 900_000;

describe('kill -9 of the whole service in each kind of step of a rover job', () => {
  const rover = new KilledRover();
  let other: ApiClient;
  let killed: RoverJobView;
  let undisturbed: RoverJobView;
  let usedAfterKills: number;

  const used = async (of: ApiClient) => {
    const { usage } = await of.expect<{ usage: { metric: string; used: number }[] }>(
      'GET',
      '/quota/usage',
    );
    return usage.find(({ metric }) => metric === 'rover')?.used ?? NaN;
  };

  beforeAll(async () => {
    await rover.open({ ROVER_FAST: JSON.stringify({ seconds: 3_600 }) });
    rover.spawn();
    await rover.ready();
    const named = { name: 'Second' };
    const made = await askOwner(rover.dataDir, 'create-tenant', named, ROVER_START_MS);
    await rover.kill();
    killed = await rover.killedJob(ROVER_KILL_POINTS);
    usedAfterKills = await used(rover.client);
    undisturbed = await rover.undisturbedJob();
    other = new ApiClient(await rover.ready(), (made as { key: string }).key);
  }, MOST_MS);
  afterAll(() => rover.close());

  it('dies three times in every kind of step, and completes the job', () => {
    expect(rover.deaths).toEqual(ROVER_KILL_POINTS);
    expect(killed).toMatchObject({ status: 'completed', error_message: null });
    expect(new Set(killed.steps.map(({ kind }) => kind))).toEqual(new Set(ROVER_STEP_KINDS));
  });

  it('gives the same answer to the byte as a job without a kill', () => {
    expect(killed.citations.length).toBeGreaterThan(1);
    expect(roverResultOf(killed)).toBe(roverResultOf(undisturbed));
  });

  it('charges the job once, and another tenant nothing', async () => {
    expect(usedAfterKills).toBe(1);
    expect(await used(other)).toBe(0);
    expect((await other.call('GET', `/rover/jobs/${killed.id}`)).status).toBe(404);
  });

  it('ends no step twice, and indexes nothing twice', async () => {
    const log = await rover.log();
    const eventsOf = (type: string) =>
      log.filter((event) => event.stream === `rover-${killed.id}` && event.type === type);
    const ends = eventsOf('RoverStepCompleted').map(({ data }) => data['step_id']);
    expect(ends).toHaveLength(killed.steps.length);
    expect(new Set(ends).size).toBe(ends.length);
    expect(eventsOf('RoverJobCompleted')).toHaveLength(1);
    const sources = log.filter(({ type }) => type === 'SourceRegistered');
    expect(sources.map(({ data }) => data['name']).sort()).toEqual(rover.repos);
    expect(log.filter(({ type }) => type === 'JobCompleted')).toHaveLength(rover.repos.length);
  });
});
