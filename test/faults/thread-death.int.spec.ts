import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { ServiceProcess, StartingProcess } from '#test/support/service-process';
import { tempDir } from '#test/support/temp-dir';

const KEY = `fnt_${'t'.repeat(40)}`;
const KILLER = pathToFileURL(join(process.cwd(), 'dist/test/faults/thread-killer.js')).href;

describe('a process one of whose threads dies', () => {
  let folder: ReturnType<typeof tempDir>;
  let starting: StartingProcess | undefined;
  beforeEach(() => {
    folder = tempDir('footnote-threads-');
  });
  afterEach(async () => {
    await starting?.kill();
    folder.remove();
  });

  const start = async (thread: string): Promise<ServiceProcess> => {
    const environment = {
      NODE_OPTIONS: `--import=${KILLER}`,
      KILL_THREAD: thread,
      SEARCH_THREADS: '1',
    };
    starting = new StartingProcess({ dataDir: `${folder.path}/data`, key: KEY, environment });
    return ServiceProcess.whenReady(starting);
  };
  const live = (url: string): Promise<number | 'refused'> =>
    fetch(`${url}/health/live`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status,
      () => 'refused',
    );

  it.each([
    ['pglite', 'read models: the database thread died; the process ends'],
    ['queue', 'queue: the thread died; the process ends'],
    ['event-log', 'event store: the log cannot be trusted any more; the process ends'],
  ])(
    'ends with a line that says so when it was the thread "%s", and starts again',
    async (thread, line) => {
      const service = await start(thread);
      process.kill(service.pid, 'SIGUSR2');
      expect(await starting?.ended(10_000)).toBe(1);
      expect(service.output).toContain(line);
      expect(await live(service.url)).toBe('refused');

      const again = await start(thread);
      expect(await live(again.url)).toBe(200);
      expect(await again.stop()).toBe(0);
    },
    90_000,
  );

  it('goes on when it was a thread that searches, which is replaced', async () => {
    const service = await start('search');
    process.kill(service.pid, 'SIGUSR2');
    for (let asked = 0; asked < 20; asked += 1) expect(await live(service.url)).toBe(200);
    expect(await service.stop()).toBe(0);
  }, 60_000);
});
