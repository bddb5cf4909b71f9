import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { askOwner } from '#apps/standalone/admin/socket';
import type { RecordedEvent } from '#contracts';
import type { RoverJobView } from '#contracts/http/index';
import { ROVER_STEP_KINDS } from '#contracts/rover/rover-job';
import { openEngines } from '#engines';
import { loadConfig, newApiKeySecret, silentLogger } from '#platform';
import { ApiClient } from '#test/support/api-client';
import {
  ROVER_KILL_AT,
  ROVER_KILL_POINTS,
  type RoverKillPoint,
} from '#test/support/kill-points/rover-kill-points';
import { readLog } from '#test/support/read-log';
import { RoverService } from '#test/support/research/rover-service';
import { ServiceProcess, StartingProcess } from '#test/support/service-process';
import { tempDir } from '#test/support/temp-dir';

const QUESTION = 'Which buffer size does the reader pass to allocate_ring of the ring library?';
const REPOS = ['ring/reader', 'ring/ring'];
const START_MS = 180_000;
const MOST_MS = 900_000;

describe('kill -9 of the whole service in each kind of step of a rover job', () => {
  const folder = tempDir('footnote-rover-kills-');
  const dataDir = `${folder.path}/data`;
  const key = newApiKeySecret().secret;
  const host = new RoverService();
  const deaths: RoverKillPoint[] = [];
  let environment: Record<string, string>;
  let starting: StartingProcess;
  let client: ApiClient;
  let other: ApiClient;
  let killed: RoverJobView;
  let undisturbed: RoverJobView;
  let usedAfterKills: number;
  let log: readonly RecordedEvent[];

  const spawn = (point?: RoverKillPoint) => {
    starting = new StartingProcess({
      dataDir,
      key,
      entry: 'test/support/kill-points/killed-rover-main',
      environment: {
        ...environment,
        ...(point && { [ROVER_KILL_AT]: `${point.kind} ${point.moment}` }),
      },
    });
  };
  const ready = async () => {
    const { url } = await ServiceProcess.whenReady(starting);
    client = new ApiClient(url, key);
    return url;
  };
  const request = () =>
    client.expect<RoverJobView>('POST', '/rover/jobs', { question: QUESTION }).then(({ id }) => id);
  const ended = async (id: string): Promise<RoverJobView> => {
    for (let tries = 0; tries < 2_400; tries += 1) {
      const job = await client.expect<RoverJobView>('GET', `/rover/jobs/${id}`);
      if (['completed', 'failed', 'cancelled'].includes(job.status)) return job;
      await delay(50);
    }
    throw new Error(`The job did not end:\n${starting.output.slice(-4_000)}`);
  };
  const used = async (of: ApiClient) => {
    const { usage } = await of.expect<{ usage: { metric: string; used: number }[] }>(
      'GET',
      '/quota/usage',
    );
    return usage.find(({ metric }) => metric === 'rover')?.used ?? NaN;
  };
  const eventsOf = (stream: string, type: string) =>
    log.filter((event) => event.stream === stream && event.type === type).map(({ data }) => data);

  beforeAll(async () => {
    host.host(
      'ring/reader',
      {
        'reader/run.py':
          'from ring import allocate_ring\n\n\ndef run():\n    return allocate_ring(4096)\n',
        'pyproject.toml':
          '[project]\nname = "reader"\nversion = "1.0.0"\ndependencies = ["ring>=1"]\n',
      },
      { description: 'Ring library reader: allocate_ring with a buffer size' },
    );
    host.host(
      'ring/ring',
      {
        'ring/__init__.py':
          'def allocate_ring(size=1024):\n    """Allocates a ring of a buffer size."""\n    return [0] * size\n',
        'pyproject.toml': '[project]\nname = "ring"\nversion = "1.0.0"\n',
      },
      { description: 'Ring library: allocate_ring with a buffer size' },
    );
    environment = {
      ...(await host.serveHost()),
      ROVER_FAST: JSON.stringify({ seconds: 3_600 }),
    };
    spawn();
    await ready();
    const made = await askOwner(dataDir, 'create-tenant', { name: 'Second' }, START_MS);
    const otherKey = (made as { key: string }).key;
    await starting.kill();

    const [first, ...later] = ROVER_KILL_POINTS;
    spawn(first);
    await ready();
    const id = await request().catch(() => '');
    for (const [index, point] of ROVER_KILL_POINTS.entries()) {
      await starting.ended(START_MS);
      if (starting.child.signalCode === 'SIGKILL') deaths.push(point);
      spawn(later[index]);
    }
    await ready();
    const jobId =
      id || (await client.expect<{ jobs: RoverJobView[] }>('GET', '/rover/jobs')).jobs[0]?.id;
    killed = await ended(jobId ?? '');
    usedAfterKills = await used(client);
    undisturbed = await ended(await request());
    other = new ApiClient(await ready(), otherKey);
  }, MOST_MS);
  afterAll(async () => {
    await starting.kill();
    await host.stop();
    folder.remove();
  });

  it('dies three times in every kind of step, and completes the job', () => {
    expect(deaths).toEqual(ROVER_KILL_POINTS);
    expect(killed).toMatchObject({ status: 'completed', error_message: null });
    expect(new Set(killed.steps.map(({ kind }) => kind))).toEqual(new Set(ROVER_STEP_KINDS));
  });

  it('gives the same answer to the byte as a job without a kill', () => {
    const result = ({ answer, sections, citations, not_found, confidence, read }: RoverJobView) =>
      JSON.stringify({ answer, sections, citations, not_found, confidence, read });
    expect(killed.citations.length).toBeGreaterThan(1);
    expect(result(killed)).toBe(result(undisturbed));
  });

  it('charges the job once, and another tenant nothing', async () => {
    expect(usedAfterKills).toBe(1);
    expect(await used(other)).toBe(0);
    expect((await other.call('GET', `/rover/jobs/${killed.id}`)).status).toBe(404);
  });

  it('ends no step twice, and indexes nothing twice', async () => {
    await starting.stop();
    const config = loadConfig({ DATA_DIR: dataDir }, '/');
    const engines = await openEngines(config, silentLogger, ['eventStore']);
    try {
      log = await readLog(engines.eventStore);
    } finally {
      await engines.close();
    }
    const stream = `rover-${killed.id}`;
    const ends = eventsOf(stream, 'RoverStepCompleted').map((data) => data['step_id']);
    expect(ends).toHaveLength(killed.steps.length);
    expect(new Set(ends).size).toBe(ends.length);
    expect(eventsOf(stream, 'RoverJobCompleted')).toHaveLength(1);
    const sources = log.filter(({ type }) => type === 'SourceRegistered');
    expect(sources.map(({ data }) => data['name']).sort()).toEqual(REPOS);
    expect(log.filter(({ type }) => type === 'JobCompleted')).toHaveLength(REPOS.length);
  });
});
