import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { openEngines } from '#engines';
import { loadConfig, silentLogger } from '#platform';
import type { ApiClient, SourceView } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { someEvents } from '#test/support/sample-events';
import { type Inventory, ServiceStores } from '#test/support/service-stores';
import { ON_STACK } from '#test/support/stack/stack-environment';
import { TwoTenantService } from '#test/support/two-tenants';

const ID = '[0-9a-f-]{36}';
const LOG = ON_STACK ? 'EVENTSTORE_URL' : 'DATA_DIR/log';
const QUERIES = ['how are apples picked', 'pickPear'];

/** Runs an operator command as `npm run` does, while the service is stopped. */
function command(service: TwoTenantService, name: string, ...words: string[]) {
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], ...service.variables };
    const main = join(process.cwd(), `dist/apps/standalone/admin/${name}.js`);
    execFile(
      process.execPath,
      [main, ...words],
      { env, timeout: 120_000 },
      (error, stdout, stderr) => {
        resolve({
          status: error ? (typeof error.code === 'number' ? error.code : -1) : 0,
          stdout,
          stderr,
        });
      },
    );
  });
}

async function answersOf(client: ApiClient): Promise<unknown[]> {
  const answers = [];
  for (const query of QUERIES) {
    const { results } = await client.search(query);
    answers.push(results?.map(({ content, score, citation }) => ({ content, score, citation })));
  }
  return answers;
}

describe('one log, one service', () => {
  let service: TwoTenantService;
  let stores: ServiceStores;
  let first: SourceView;
  let answers: unknown[];
  let before: Inventory;

  const sync = async (name: string, files: Record<string, string>): Promise<SourceView> => {
    const repository = TestRepository.create(`${service.scratch}/${name}`, files);
    const source = await service.first.createRepo(name, repository.url);
    await service.first.syncToEnd(source.id, 60_000);
    return source;
  };
  /**
   * Stops the service and looks; what a projection had not come to by then it goes on with after
   * the next start.
   */
  const inventoryOnceProjected = async (): Promise<Inventory> => {
    for (let attempt = 1; ; attempt += 1) {
      await service.stop();
      const inventory = await stores.inventory();
      if (attempt === 5 || isDeepStrictEqual(inventory.rows, before.rows)) return inventory;
      await service.startAgain();
      await delay(1_000);
    }
  };
  /** The service serves what it served, and no store has lost anything. */
  const expectAsBefore = async () => {
    await service.startAgain();
    expect(await answersOf(service.first)).toEqual(answers);
    expect(await service.operate('doctor')).toMatchObject({ ok: true });
    await service.stop();
    await stores.copyLog('right');
    before = await stores.inventory();
  };

  beforeAll(async () => {
    service = await TwoTenantService.start();
    stores = new ServiceStores(service);
    first = await sync('Apples', {
      'apple.ts': '/** Picks apples from the tree. */\nexport const pickApple = 1;\n',
    });
    await service.stop();
    await stores.copyLog('older');
    await service.startAgain();
    await sync('Pears', { 'pear.ts': '/** Picks pears. */\nexport const pickPear = 2;\n' });
    answers = await answersOf(service.first);
    await service.stop();
    await stores.copyLog('right');
    before = await stores.inventory();
  }, 240_000);
  afterAll(() => service.dispose());

  /**
   * Nobody starts, each process says why in one sentence, the doctor names each store, and nothing
   * is gone.
   */
  const expectRefused = async (found: string) => {
    const refusals = await stores.refusals(60_000);
    for (const sentence of refusals) {
      expect(sentence).toMatch(
        new RegExp(
          `^The event log \\(${LOG}\\) is ${found}, but .*belongs? to log ${ID}.*; nothing was changed: `,
        ),
      );
      expect(sentence).toContain(
        'read models (' + (ON_STACK ? 'DATABASE_URL' : 'DATA_DIR/read-models') + ')',
      );
      expect(sentence).toMatch(
        /put the right log back, or correct .*, or run `npm run adopt` to bind them/,
      );
      expect(sentence).not.toMatch(/:\/\/|changeit/);
    }
    const { status, stdout } = await command(service, 'doctor');
    expect(status).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`identity of the event log: ${found.replace('log ', '')} \\(${LOG}\\)`),
    );
    expect(stdout).toMatch(new RegExp(`✘ log of the content: another, ${ID} `));
    expect(await stores.inventory()).toEqual(before);
    return refusals;
  };

  it('refuses an emptied log, removes nothing, and goes on with the right one', async () => {
    await stores.emptyLog();
    await expectRefused('empty');
    const engines = await openEngines(loadConfig({ ...service.variables }), silentLogger, [
      'eventStore',
    ]);
    // Not even an event of its own was written.
    expect(await engines.eventStore.head().finally(() => engines.close())).toBeNull();
    await stores.putLogBack('right');
    await expectAsBefore();
  }, 240_000);

  it('refuses the longer log of another service, removes nothing, and goes on with the right one', async () => {
    await stores.emptyLog();
    const engines = await openEngines(loadConfig({ ...service.variables }), silentLogger, [
      'eventStore',
    ]);
    try {
      for (const id of ['a', 'b', 'c'])
        await engines.eventStore.append(`source-${id}`, someEvents(400), 'none');
    } finally {
      await engines.close();
    }
    await expectRefused(`log ${ID}`);
    await stores.putLogBack('right');
    await expectAsBefore();
  }, 240_000);

  it('rebuilds a lost index from the log and the content', async () => {
    await stores.loseIndex();
    await service.startAgain();
    expect(service.service.output).toMatch(
      /"store":"search index".*empty store was bound to the log"/,
    );
    expect(await inventoryOnceProjected()).toMatchObject({
      blobs: before.blobs,
      rows: before.rows,
      chunks: before.chunks,
    });
    await expectAsBefore();
  }, 240_000);

  it('rebuilds lost read models from the log', async () => {
    await stores.loseReadModels();
    await service.startAgain();
    expect(service.service.output).toMatch(
      /"store":"read models".*empty store was bound to the log"/,
    );
    expect(await answersOf(service.first)).toEqual(answers);
    expect(await inventoryOnceProjected()).toMatchObject({
      blobs: before.blobs,
      rows: before.rows,
      keys: before.keys,
    });
    await expectAsBefore();
  }, 240_000);

  it('takes an older backup of the same log: what came after it is gone, its content and keys are not', async () => {
    await stores.putLogBack('older');
    await service.startAgain();
    expect(service.service.output).toContain('building rows again that the log does not confirm');
    const { sources } = await service.first.expect<{ sources: SourceView[] }>('GET', '/sources');
    expect(sources.map(({ id }) => id)).toEqual([first.id]);
    const [apples] = await answersOf(service.first);
    expect(JSON.stringify(apples)).toContain('pickApple');
    await service.stop();
    const after = await stores.inventory();
    expect([after.blobs, after.keys]).toEqual([before.blobs, before.keys]);
  }, 240_000);

  it('is bound by npm run adopt to an emptied log, which says what it bound, and starts as a new service', async () => {
    await stores.emptyLog();
    const adopted = await command(service, 'adopt');
    expect([adopted.status, adopted.status === 0 ? '' : adopted.stderr]).toEqual([0, '']);
    expect(adopted.stdout).toMatch(new RegExp(`^The event log \\(${LOG}\\) is log ${ID}\\.$`, 'm'));
    expect(adopted.stdout).toMatch(
      new RegExp(
        `^read models .*: now belongs to it, previously to log ${ID}; the next start rebuilds it\\.$`,
        'm',
      ),
    );
    expect(adopted.stdout).toMatch(
      new RegExp(`^content .*: now belongs to it, previously to log ${ID}\\.$`, 'm'),
    );
    await service.startAgain();
    expect(await service.first.expect('GET', '/sources')).toMatchObject({ sources: [], total: 0 });
    const kept = await sync('Plums', {
      'plum.ts': '/** Picks plums. */\nexport const pickPlum = 3;\n',
    });
    const { results = [] } = await service.first.search('pickPlum', { source_ids: [kept.id] });
    expect(results[0]?.content).toContain('pickPlum');
    expect(await service.operate('doctor')).toMatchObject({ ok: true });
    // A running service binds nothing again.
    expect((await command(service, 'adopt')).stderr).toMatch(
      ON_STACK ? /A process of the service runs on these servers/ : /is in use by process \d+/,
    );
    await service.stop();
    expect((await stores.inventory()).blobs).toEqual(expect.arrayContaining([...before.blobs]));
  }, 240_000);
});
