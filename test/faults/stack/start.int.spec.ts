import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, expect, it } from '@jest/globals';

import { newApiKeySecret } from '#platform';
import { openPostgresKeyRing } from '#platform/key-ring/postgres/postgres-key-ring';
import { ApiClient, type SourceView } from '#test/support/api-client';
import { describeWhen } from '#test/support/describe-when';
import { freePort } from '#test/support/free-port';
import { TestRepository } from '#test/support/git-repository';
import { plausibleFiles } from '#test/support/plausible-files';
import { ServiceProcess, StartingProcess } from '#test/support/service-process';
import { StackEnvironment } from '#test/support/stack/stack-environment';
import { TcpProxy } from '#test/support/tcp-proxy';
import { tempDir } from '#test/support/temp-dir';

const AWAY_MS = 10_000;
const KINDS = ['api', 'projector', 'pipeline'] as const;
const FILES = 20;

/** The processes that cannot start without the engine; the others do not wait for it. */
const ENGINES = [
  ['EventStoreDB', 'EVENTSTORE_URL', ['api', 'projector', 'pipeline']],
  ['PostgreSQL', 'DATABASE_URL', ['api', 'projector', 'pipeline']],
  ['S3', 'S3_ENDPOINT', ['projector', 'pipeline']],
  ['Kafka', 'KAFKA_BROKERS', ['pipeline']],
  ['OpenSearch', 'OPENSEARCH_URL', []],
] as const;

describeWhen('FOOTNOTE_STACK', 'processes that are started while an engine is away', () => {
  const key = newApiKeySecret().secret;
  let stack: StackEnvironment;
  let folder: ReturnType<typeof tempDir>;
  let closing: (() => unknown)[];

  beforeEach(async () => {
    closing = [];
    folder = tempDir('footnote-start-');
    stack = await StackEnvironment.open();
  }, 60_000);
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
    await stack.close();
    folder.remove();
  }, 60_000);

  /** Starts one of each kind, with variables of the stack replaced. */
  const start = async (replaced: Record<string, string>) => {
    const started = KINDS.map(async (kind) => {
      const port = String(await freePort());
      const environment = { ...stack.variables, ...replaced, PORT: port };
      const starting = new StartingProcess({
        dataDir: `${folder.path}/${kind}`,
        key,
        environment,
        entry: `apps/${kind}/main`,
      });
      closing.push(() => starting.stop());
      return { kind, starting, url: `http://127.0.0.1:${port}` };
    });
    return Promise.all(started);
  };

  /** Makes a source and syncs it to its end. */
  const sync = async (url: string) => {
    const client = new ApiClient(url, key);
    const repository = TestRepository.create(`${folder.path}/repository`, plausibleFiles(FILES));
    const { id } = await client.createRepo('Late', repository.url);
    return client.syncToEnd(id, 120_000);
  };

  it.each(ENGINES)(
    '%s: they wait for it, and serve when it is there',
    async (engine, variable, waiting) => {
      const { proxy, variables } = await behindProxy(stack.variables, variable);
      closing.push(() => proxy.close());
      proxy.set('refuse');
      const processes = await start(variables);
      const waits = processes.filter(({ kind }) => (waiting as readonly string[]).includes(kind));
      await Promise.all(waits.map(({ starting }) => starting.says(waitsFor(engine), 60_000)));
      await delay(AWAY_MS);
      for (const { starting, url } of processes) {
        expect(starting.child.exitCode).toBeNull();
        expect((await ask(`${url}/health/live`)).status).toBe(200);
      }
      for (const { url } of waits) {
        expect(await ask(`${url}/health/ready`)).toMatchObject({
          status: 503,
          detail: expect.stringContaining(engine),
        });
      }
      proxy.set('pass');
      const ready = await Promise.all(
        processes.map(({ starting }) => ServiceProcess.whenReady(starting)),
      );
      const job = await sync(ready[0]?.url ?? '');
      expect(job).toMatchObject({ status: 'completed', files_processed: FILES });
      expect(await Promise.all(ready.map((each) => each.stop()))).toEqual([0, 0, 0]);
    },
    240_000,
  );

  it('lets projections run, and reads follow writes, while the feed is away with Kafka', async () => {
    const { proxy, variables } = await behindProxy(stack.variables, 'KAFKA_BROKERS');
    closing.push(() => proxy.close());
    proxy.set('refuse');
    const [api, projector] = await start(variables);
    if (!api || !projector) throw new Error('Nothing was started');
    const { url } = await ServiceProcess.whenReady(api.starting);
    const client = new ApiClient(url, key);
    const { id } = await client.createRepo('Without Kafka', 'https://example.org/none.git');
    expect((await client.expect<SourceView>('GET', `/sources/${id}`)).name).toBe('Without Kafka');
    const feed = async () =>
      /^footnote_feed_failing (\d)$/m.exec((await ask(`${projector.url}/metrics`)).text)?.[1];
    await until(async () => (await feed()) === '1');
    expect((await ask(`${projector.url}/health/ready`)).text).toContain('The event feed is away');
    proxy.set('pass');
    await ServiceProcess.whenReady(projector.starting);
    expect(await feed()).toBe('0');
  }, 180_000);

  it.each([
    [
      'DATABASE_URL',
      /^PostgreSQL \(DATABASE_URL\) cannot be used: password authentication failed/m,
    ],
    ['S3_SECRET_ACCESS_KEY', /^S3 \(S3_ENDPOINT\) cannot be used: S3 rejects these credentials/m],
    ['MASTER_KEY', /^PostgreSQL \(DATABASE_URL\) cannot be used: MASTER_KEY is not the key/m],
  ])(
    'ends at once with a sentence where %s is wrong',
    async (variable, sentence) => {
      const { DATABASE_URL: url = '' } = stack.variables;
      const wrong = {
        DATABASE_URL: url.replace(/:[^:@]*@/, ':not-the-password@'),
        S3_SECRET_ACCESS_KEY: 'not-the-secret',
        MASTER_KEY: 'a0'.repeat(32),
      }[variable];
      if (variable === 'MASTER_KEY') await openKeyRing(stack.variables);
      const entry = variable === 'MASTER_KEY' ? 'apps/api/main' : 'apps/pipeline/main';
      const environment = { ...stack.variables, [variable]: wrong ?? '' };
      const starting = new StartingProcess({
        dataDir: `${folder.path}/data`,
        key,
        environment,
        entry,
      });
      closing.push(() => starting.stop());
      expect(await starting.ended(30_000)).toBe(1);
      expect(starting.output).toMatch(sentence);
      expect(starting.output).not.toContain(wrong);
    },
    60_000,
  );
});

/** With the key that is right: the first process decides which one that is. */
async function openKeyRing({
  DATABASE_URL: url = '',
  DATABASE_ADMIN_URL: adminUrl = '',
  ...variables
}: Record<string, string>) {
  const masterKey = new Uint8Array(Buffer.from(variables['MASTER_KEY'] ?? '', 'hex'));
  await (await openPostgresKeyRing({ url, adminUrl, masterKey })).close();
}

function waitsFor(engine: string): RegExp {
  return new RegExp(`"engine":"${engine}".*an engine is unavailable; retrying`);
}

/** The variables that hold the engine's address, changed to go through a proxy. */
async function behindProxy(
  all: Readonly<Record<string, string>>,
  variable: string,
): Promise<{ proxy: TcpProxy; variables: Record<string, string> }> {
  const address = all[variable] ?? '';
  if (variable === 'KAFKA_BROKERS') {
    const [host = '', port] = address.split(':');
    const proxy = await TcpProxy.open({ host, port: Number(port) });
    return { proxy, variables: { [variable]: `127.0.0.1:${proxy.port}` } };
  }
  // Only the host is replaced: `URL` knows no ports of its own for these schemes.
  const { hostname: host, port } = new URL(address.replace(/^[a-z+]+:/, 'http:'));
  const proxy = await TcpProxy.open({ host, port: Number(port) });
  const names = variable === 'DATABASE_URL' ? [variable, 'DATABASE_ADMIN_URL'] : [variable];
  const through = (name: string) =>
    (all[name] ?? '').replace(`${host}:${port}`, `127.0.0.1:${proxy.port}`);
  return { proxy, variables: Object.fromEntries(names.map((name) => [name, through(name)])) };
}

async function ask(
  url: string,
): Promise<{ status: number; text: string; detail: string | undefined }> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  const text = await answer.text();
  const detail = /"detail":"([^"]*)"/.exec(text)?.[1];
  return { status: answer.status, text, detail };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not come true within 30 s');
    await delay(100);
  }
}
