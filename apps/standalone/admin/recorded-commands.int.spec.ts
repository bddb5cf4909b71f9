import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type RecordedEvent, SYSTEM_TENANT } from '#contracts';
import { openEngines } from '#engines';
import { loadConfig, type Sealed, silentLogger } from '#platform';
import { readLog } from '#test/support/read-log';
import { proposed } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

import { thisOperator } from './operator/operator.js';
import { operatorReasonContext } from './operator/recorded-run.js';

const STARTED = 'OperatorCommandStarted';
const COMPLETED = 'OperatorCommandCompleted';
const FAILED = 'OperatorCommandFailed';

describe('commands on a data folder without a running service', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  const at = (name: string) => join(folder.path, name);

  /** Runs `npm run <name> -- <words>`. @returns its status. */
  function command(name: string, dataDir: string, ...words: readonly string[]): Promise<number> {
    const file = join(process.cwd(), `dist/apps/standalone/admin/${name}.js`);
    const options = { timeout: 120_000, env: { DATA_DIR: at(dataDir) } };
    return new Promise((resolve) => {
      execFile(process.execPath, [file, ...words], options, (error) => {
        resolve(error ? (typeof error.code === 'number' ? error.code : -1) : 0);
      });
    });
  }

  const open = (dataDir: string) =>
    openEngines(loadConfig({ DATA_DIR: at(dataDir) }, '/'), silentLogger, [
      'eventStore',
      'blobs',
      'keyRing',
    ]);

  /** Appends an event of a tenant to a new log. */
  async function begin(dataDir: string): Promise<void> {
    const { eventStore, close } = await opened(dataDir);
    const policy = proposed({ type: 'PolicyReset', data: {} }, { tenant_id: 'tenant' });
    await eventStore.append('policy-tenant', [policy], 'none');
    await close();
  }

  /** Returns the events of commands in a log, and the opened reasons of their starts. */
  async function recorded(dataDir: string) {
    const { eventStore, keyRing, close } = await opened(dataDir);
    const events = (await readLog(eventStore)).filter(({ stream }) =>
      stream.startsWith('operator-'),
    );
    const reasons: string[] = [];
    for (const { type, data } of events) {
      if (type !== STARTED) continue;
      const place = operatorReasonContext(String(data['run_id']));
      reasons.push(String(await keyRing.open(SYSTEM_TENANT, place, data['reason'] as Sealed)));
    }
    await close();
    return { events, reasons, runs: events.map(runOf) };
  }

  async function opened(dataDir: string) {
    const engines = await open(dataDir);
    const { eventStore, keyRing } = engines;
    return { eventStore, keyRing, close: () => engines.close() };
  }

  it('backup is in its own backup, and restore in the restored log', async () => {
    await begin('service');
    expect(await command('backup', 'service', at('copy'), '--reason', 'Nightly')).toBe(0);
    expect((await recorded('service')).runs).toEqual([
      [STARTED, 'backup'],
      [COMPLETED, 'backup'],
    ]);
    expect(await command('restore', 'restored', at('copy'), '--reason', 'Disk failed')).toBe(0);
    const { events, reasons, runs } = await recorded('restored');
    expect(runs).toEqual([
      [STARTED, 'backup'],
      [STARTED, 'restore'],
      [COMPLETED, 'restore'],
    ]);
    expect(reasons).toEqual(['Nightly', 'Disk failed']);
    const actor = { type: 'operator', id: thisOperator().user, name: 'restore' };
    const [, ...own] = events;
    for (const { metadata, data } of own) {
      expect(metadata).toMatchObject({ tenant_id: SYSTEM_TENANT, actor });
      expect(data).toMatchObject({ run_id: metadata.correlation_id });
    }
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain('Disk failed');
    // A folder that has a log is not touched, and its log not extended.
    expect(await command('restore', 'restored', at('copy'))).toBe(1);
    expect((await recorded('restored')).runs).toEqual(runs);
  });

  it('adopt, rebuild and a failed backup are in the log that they work on', async () => {
    await begin('service');
    expect(await command('adopt', 'service', '--reason', 'New disk')).toBe(0);
    expect(await command('rebuild', 'service', '--reason', 'Check')).toBe(0);
    expect(await command('backup', 'service', at('service'), '--reason', 'Nightly')).toBe(1);
    const { events, reasons, runs } = await recorded('service');
    expect(runs).toEqual([
      [STARTED, 'adopt'],
      [COMPLETED, 'adopt'],
      [STARTED, 'rebuild'],
      [COMPLETED, 'rebuild'],
      [STARTED, 'backup'],
      [FAILED, 'backup'],
    ]);
    expect(reasons).toEqual(['New disk', 'Check', 'Nightly']);
    expect(new Set(events.map(({ metadata }) => metadata.correlation_id)).size).toBe(3);
  });
});

function runOf({ type, data }: RecordedEvent): readonly [string, unknown] {
  return [type, data['command']];
}
