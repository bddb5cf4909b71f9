import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { lockFolder, syncFolder } from '#platform';

import { type Download, downloadFile, requireFileHash } from './download-file.js';
import { buildFolder, removeOtherBuilds, useBuild } from './installed-model.js';
import {
  type PinnedFile,
  RUNTIME_FOLDER,
  RUNTIME_PACKAGES,
  SENTENCE_MODELS,
  type SentenceCatalog,
} from './sentence-models.js';
import { unpackModel, unpackPackage } from './unpack-archives.js';

/** Archives so far; they stay until an installation succeeds. */
const DOWNLOADS = 'downloads';

export interface InstallOptions {
  /** Folder of the models. */
  readonly folder: string;
  readonly model: string;
  /** Addresses without a slash at the end. */
  readonly registries: Readonly<Record<PinnedFile['registry'], string>>;
  /** Local archives to use instead of downloads, by the last part of their path. */
  readonly files?: readonly string[];
  readonly report: (line: string) => void;
  /** Default: the models and the runtime that this version pins. */
  readonly catalog?: SentenceCatalog;
  /** Limits of each download. */
  readonly limits?: Pick<Download, 'maxBytes' | 'stallMs' | 'pauseMs'>;
}

const PINNED: SentenceCatalog = { models: SENTENCE_MODELS, runtime: RUNTIME_PACKAGES };

/**
 * Installs a sentence model with its runtime. Every archive must have its pinned hash, also a local
 * one. The model before stays in use until all files are there. The change is one step: a stop at
 * any moment leaves one of the two models. An interrupted download continues at the next call.
 *
 * @throws Error for an unknown model, a failed download or a file with another hash.
 * FolderInUseError while another process installs there.
 */
export async function installSentenceModel(options: InstallOptions): Promise<void> {
  const { folder, report, catalog = PINNED } = options;
  const model = catalog.models.find(({ name }) => name === options.model);
  if (!model) {
    const known = catalog.models.map(({ name }) => name).join(', ');
    throw new Error(`Model must be one of ${known} (got ${JSON.stringify(options.model)})`);
  }
  const lock = lockFolder(folder, 'install');
  const id = randomUUID();
  const build = buildFolder(folder, id);
  try {
    await mkdir(build, { recursive: true });
    const runtime = join(build, RUNTIME_FOLDER);
    for (const each of catalog.runtime) {
      report(`Reading ${each.name}`);
      await unpackPackage(await archiveOf(each, options), join(runtime, 'node_modules', each.name));
    }
    await writeFile(join(runtime, 'package.json'), '{"private":true}\n', { flush: true });
    report(`Reading ${model.name}`);
    await unpackModel(await archiveOf(model.archive, options), model, build);
    await syncFolder(build);
    await useBuild(folder, model.name, id);
    report(`Using ${model.name}`);
    await rm(join(folder, DOWNLOADS), { recursive: true, force: true });
  } finally {
    // What cannot be removed now is removed by the next installation.
    await removeOtherBuilds(folder).catch(() => undefined);
    lock.release();
  }
}

/** Returns the path of an archive with its pinned hash. */
async function archiveOf(
  { registry, path, sha256 }: PinnedFile,
  { folder, registries, files = [], limits }: InstallOptions,
): Promise<string> {
  const name = basename(path);
  const local = files.find((file) => basename(file) === name);
  if (local !== undefined) {
    await requireFileHash(local, sha256, name);
    return local;
  }
  const downloads = join(folder, DOWNLOADS);
  await mkdir(downloads, { recursive: true });
  const target = join(downloads, sha256);
  const url = `${registries[registry]}/${path}`;
  await downloadFile({ url, name, sha256, ...limits }, target);
  return target;
}
