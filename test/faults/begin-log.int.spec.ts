import { readFileSync } from 'node:fs';

import { expect, it } from '@jest/globals';

import { LOG_ID_FILE } from '#platform';
import { EventStoreDbProcess } from '#test/support/eventstoredb/server-process';
import { freePort } from '#test/support/free-port';
import { ServiceProcess } from '#test/support/service-process';
import { tempDir } from '#test/support/temp-dir';

const KEY = `fnt_${'s'.repeat(40)}`;

it('two processes that start at once on an empty log agree on which log it is', async () => {
  const folder = tempDir('footnote-begin-');
  const port = await freePort();
  const log = await EventStoreDbProcess.start(`${folder.path}/log`, port);
  const started: ServiceProcess[] = [];
  try {
    const environment = { EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false` };
    const names = ['one', 'two'];
    const starting = names.map(async (name) => {
      started.push(
        await ServiceProcess.start({ dataDir: `${folder.path}/${name}`, key: KEY, environment }),
      );
    });
    const settled = await Promise.allSettled(starting);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const ids = names.map((name) =>
      readFileSync(`${folder.path}/${name}/keys/${LOG_ID_FILE}`, 'utf8'),
    );
    expect(new Set(ids).size).toBe(1);
  } finally {
    for (const service of started) await service.kill();
    await log.kill();
    folder.remove();
  }
}, 90_000);
