import { setTimeout as delay } from 'node:timers/promises';

import type { RecordedEvent } from '#contracts';
import type { RoverJobView } from '#contracts/http/index';
import { openEngines } from '#engines';
import { loadConfig, newApiKeySecret, silentLogger } from '#platform';

import { ApiClient } from '../api-client.js';
import { ROVER_KILL_AT, type RoverKillPoint } from '../kill-points/rover-kill-points.js';
import { readLog } from '../read-log.js';
import { ServiceProcess, StartingProcess } from '../service-process.js';
import { tempDir } from '../temp-dir.js';
import { RoverService } from './rover-service.js';

/** Longest start of a service, and longest time until a kill, milliseconds. */
export const ROVER_START_MS = 180_000;

/** A whole service that is killed at points of a rover job, with a host of two repositories. */
export class KilledRover {
  readonly question =
    'Which buffer size does the reader pass to allocate_ring of the ring library?';
  readonly repos = ['ring/reader', 'ring/ring'];
  /** Points at which a process died by the kill. */
  readonly deaths: RoverKillPoint[] = [];
  private readonly folder = tempDir('footnote-rover-kills-');
  readonly dataDir = `${this.folder.path}/data`;
  private readonly key = newApiKeySecret().secret;
  private readonly host = new RoverService();
  private environment: Readonly<Record<string, string>> = {};
  private starting: StartingProcess | undefined;
  private connected: ApiClient | undefined;

  /** A client of the service that {@link ready} found last. */
  get client(): ApiClient {
    if (!this.connected) throw new Error('No service was ready');
    return this.connected;
  }

  /** Serves the repositories. @param environment settings of the service. */
  async open(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    this.host.host(
      'ring/reader',
      {
        'reader/run.py':
          'from ring import allocate_ring\n\n\ndef run():\n    return allocate_ring(4096)\n',
        'pyproject.toml':
          '[project]\nname = "reader"\nversion = "1.0.0"\ndependencies = ["ring>=1"]\n',
      },
      { description: 'Ring library reader: allocate_ring with a buffer size' },
    );
    this.host.host(
      'ring/ring',
      {
        'ring/__init__.py':
          'def allocate_ring(size=1024):\n    """Allocates a ring of a buffer size."""\n    return [0] * size\n',
        'pyproject.toml': '[project]\nname = "ring"\nversion = "1.0.0"\n',
      },
      { description: 'Ring library: allocate_ring with a buffer size' },
    );
    this.environment = { ...(await this.host.serveHost()), ...environment };
  }

  /** Starts a service that dies at a point; without one it runs on. */
  spawn(point?: RoverKillPoint): void {
    this.starting = new StartingProcess({
      dataDir: this.dataDir,
      key: this.key,
      entry: 'test/support/kill-points/killed-rover-main',
      environment: {
        ...this.environment,
        ...(point && { [ROVER_KILL_AT]: `${point.kind} ${point.moment}` }),
      },
    });
  }

  /** Waits until the service answers. @returns its URL. */
  async ready(): Promise<string> {
    const { url } = await ServiceProcess.whenReady(this.running);
    this.connected = new ApiClient(url, this.key);
    return url;
  }

  /** Runs one job in services that die at each point in turn, and then in one that does not. */
  async killedJob(points: readonly RoverKillPoint[]): Promise<RoverJobView> {
    const [first, ...later] = points;
    this.spawn(first);
    await this.ready();
    const id = await this.request().catch(() => '');
    for (const [index, point] of points.entries()) {
      await this.running.ended(ROVER_START_MS);
      if (this.running.child.signalCode === 'SIGKILL') this.deaths.push(point);
      this.spawn(later[index]);
    }
    await this.ready();
    const { jobs } = await this.client.expect<{ jobs: RoverJobView[] }>('GET', '/rover/jobs');
    return this.ended(id || (jobs[0]?.id ?? ''));
  }

  /** Runs one job without a kill. */
  async undisturbedJob(): Promise<RoverJobView> {
    return this.ended(await this.request());
  }

  /** Stops the service. @returns its whole log. */
  async log(): Promise<readonly RecordedEvent[]> {
    await this.running.stop();
    const config = loadConfig({ DATA_DIR: this.dataDir }, '/');
    const engines = await openEngines(config, silentLogger, ['eventStore']);
    try {
      return await readLog(engines.eventStore);
    } finally {
      await engines.close();
    }
  }

  async kill(): Promise<void> {
    await this.running.kill();
  }

  async close(): Promise<void> {
    await this.starting?.kill();
    await this.host.stop();
    this.folder.remove();
  }

  private async request(): Promise<string> {
    const body = { question: this.question };
    return (await this.client.expect<RoverJobView>('POST', '/rover/jobs', body)).id;
  }

  private async ended(id: string): Promise<RoverJobView> {
    for (let tries = 0; tries < 2_400; tries += 1) {
      const job = await this.client.expect<RoverJobView>('GET', `/rover/jobs/${id}`);
      if (['completed', 'failed', 'cancelled'].includes(job.status)) return job;
      await delay(50);
    }
    throw new Error(`The job did not end:\n${this.running.output.slice(-4_000)}`);
  }

  private get running(): StartingProcess {
    if (!this.starting) throw new Error('No process was started');
    return this.starting;
  }
}

/** Returns the parts of a job that do not depend on its ids and times, as JSON. */
export function roverResultOf(job: RoverJobView): string {
  const { answer, sections, citations, not_found, confidence, read } = job;
  return JSON.stringify({ answer, sections, citations, not_found, confidence, read });
}
