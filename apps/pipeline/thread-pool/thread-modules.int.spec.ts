import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { describe, expect, it } from '@jest/globals';

import { CurrentDocument } from './document-watch.js';

/** Reports the URLs of the modules that the entry file of a thread loads. */
const LOADED = `
  const { registerHooks } = require('node:module');
  const { parentPort, workerData } = require('node:worker_threads');
  const loaded = [];
  registerHooks({
    load(url, context, next) {
      loaded.push(url);
      return next(url, context);
    },
  });
  import(workerData.entry).then(() => parentPort.postMessage(loaded));
`;

async function loadedBy(entry: URL): Promise<readonly string[]> {
  const current = new CurrentDocument().shared;
  const workerData = { entry: entry.href, grammarsDirectory: '', current };
  const worker = new Worker(LOADED, { eval: true, workerData });
  try {
    const [loaded] = (await once(worker, 'message')) as [readonly string[]];
    return loaded;
  } finally {
    await worker.terminate();
  }
}

const packagesIn = (urls: readonly string[]) =>
  new Set(
    urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.slice(1) ?? []),
  );

describe('the modules that a thread loads before its first task', () => {
  it('leave out grammars, HTML, schemas and the indexes of libraries for stage tasks', async () => {
    const loaded = await loadedBy(new URL('./stage-tasks.worker.js', import.meta.url));
    expect(packagesIn(loaded)).toEqual(new Set(['gpt-tokenizer', 'lru-cache']));
    expect(loaded.filter((url) => /\/dist\/libs\/[^/]+\/index\.js$/.test(url))).toEqual([]);
    expect(loaded.length).toBeLessThan(150);
  });

  it('leave out YAML and the indexes of libraries for a specification', async () => {
    const entry = '../../../libs/ingest/openapi/openapi.worker.js';
    const loaded = await loadedBy(new URL(entry, import.meta.url));
    expect([...packagesIn(loaded)].filter((name) => !name.startsWith('@scalar/'))).toEqual([]);
    expect(loaded.filter((url) => /\/dist\/libs\/[^/]+\/index\.js$/.test(url))).toEqual([]);
  });
});
