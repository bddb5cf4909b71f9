import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { ApiClient } from '#test/support/api-client';
import { EventStoreDbProcess } from '#test/support/eventstoredb/server-process';
import { freePort } from '#test/support/free-port';
import { ServiceProcess, StartingProcess } from '#test/support/service-process';
import { tempDir } from '#test/support/temp-dir';

const KEY = `fnt_${'s'.repeat(40)}`;
const WITHIN_MS = 60_000;

describe('a start whose engines are away', () => {
  let folder: ReturnType<typeof tempDir>;
  const started: StartingProcess[] = [];
  beforeEach(() => {
    folder = tempDir('footnote-start-');
  });
  afterEach(async () => {
    for (const process of started.splice(0)) await process.kill();
    folder.remove();
  });

  const start = (environment: Record<string, string>, entry?: string): StartingProcess => {
    const options = {
      dataDir: `${folder.path}/data`,
      key: KEY,
      environment,
      ...(entry ? { entry } : {}),
    };
    const process = new StartingProcess(options);
    started.push(process);
    return process;
  };

  it('waits for a log that comes later, and then serves', async () => {
    const port = await freePort();
    const starting = start({ EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false` });
    await starting.says(
      /"engine":"EventStoreDB".*start: an engine is unavailable; retrying/,
      WITHIN_MS,
    );
    const log = await EventStoreDbProcess.start(`${folder.path}/log`, port);
    try {
      const service = await ServiceProcess.whenReady(starting);
      expect((await new ApiClient(service.url, KEY).call('GET', '/sources')).status).toBe(200);
      expect(starting.output.match(/an engine is unavailable; retrying/g)).toHaveLength(1);
      expect(await service.stop()).toBe(0);
    } finally {
      await log.kill();
    }
  }, 90_000);

  it('answers for its life and not for its readiness while it waits, and ends on SIGTERM at once', async () => {
    const port = await freePort();
    const api = start({ ...(await allAway()), PORT: String(port) }, 'apps/api/main');
    await api.says(/"engine":"PostgreSQL"/, WITHIN_MS);
    await api.says(/"engine":"EventStoreDB"/, WITHIN_MS);
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        signal: AbortSignal.timeout(5_000),
      });
      return {
        status: answer.status,
        body: (await answer.json()) as { checks?: { detail: string }[] },
      };
    };
    expect((await ask('/health/live')).status).toBe(200);
    const readiness = await ask('/health/ready');
    expect(readiness.status).toBe(503);
    expect(readiness.body.checks?.[0]?.detail).toMatch(/^starting, waits for .*PostgreSQL/);
    expect((await ask('/sources')).status).toBe(503);
    api.child.kill('SIGTERM');
    expect(await api.ended(2_000)).toBe(0);
  }, 120_000);

  it.each(['projector', 'pipeline'])(
    'ends a %s with a sentence that names who is away when the time is up',
    async (kind) => {
      const away = await allAway();
      const starting = start({ ...away, START_TIMEOUT_SECONDS: '10' }, `apps/${kind}/main`);
      expect(await starting.ended(WITHIN_MS)).toBe(1);
      const [sentence = ''] = starting.output.trim().split('\n').slice(-1);
      expect(sentence).toMatch(/PostgreSQL \(DATABASE_URL\) is unavailable: connect ECONNREFUSED/);
      expect(sentence).toMatch(/EventStoreDB \(EVENTSTORE_URL\) is unavailable: /);
      expect(sentence).toMatch(/START_TIMEOUT_SECONDS \(10\) is over$/);
      expect(starting.output).not.toContain('changeit');
    },
    120_000,
  );

  it('ends at once when it has no time to wait', async () => {
    const starting = start({
      EVENTSTORE_URL: `esdb://127.0.0.1:${await freePort()}?tls=false`,
      START_TIMEOUT_SECONDS: '0',
    });
    expect(await starting.ended(WITHIN_MS)).toBe(1);
    expect(starting.output).toMatch(/EventStoreDB \(EVENTSTORE_URL\) is unavailable: /);
    expect(starting.output).not.toContain('an engine is unavailable; retrying');
  }, 120_000);

  it('does not wait for a wrong setting to become right, also while other services are away', async () => {
    const wrong = {
      ...(await allAway()),
      EVENTSTORE_URL: 'esdb://admin:changeit@127.0.0.1:2113?tls=maybe',
    };
    const starting = start(wrong, 'apps/pipeline/main');
    expect(await starting.ended(WITHIN_MS)).toBe(1);
    expect(starting.output).toMatch(
      /EventStoreDB \(EVENTSTORE_URL\) cannot be used: .*malformed .* true or false/,
    );
    expect(starting.output).not.toContain('changeit');
  }, 120_000);
});

/** Addresses at which nobody answers. */
async function allAway(): Promise<Record<string, string>> {
  const [log, database, search, kafka, s3] = await Promise.all(
    Array.from({ length: 5 }, () => freePort()),
  );
  return {
    EVENTSTORE_URL: `esdb://admin:changeit@127.0.0.1:${log}?tls=false`,
    DATABASE_URL: `postgres://footnote:changeit@127.0.0.1:${database}/footnote`,
    OPENSEARCH_URL: `http://127.0.0.1:${search}`,
    KAFKA_BROKERS: `127.0.0.1:${kafka}`,
    S3_ENDPOINT: `http://127.0.0.1:${s3}`,
    S3_ACCESS_KEY_ID: 'footnote',
    S3_SECRET_ACCESS_KEY: 'changeit',
    MASTER_KEY: '0f'.repeat(32),
  };
}
