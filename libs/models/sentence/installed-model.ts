import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceFile, unlessMissing } from '#platform';

import { SENTENCE_MODELS, type SentenceModel } from './sentence-models.js';

/** Names the installed model and its folder; replaced in one step. */
const POINTER = 'installed.json';
/** Each installation has a folder of its own below this one. */
const BUILDS = 'builds';
const BUILD_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The model that is installed in a folder of models. */
export interface InstalledModel {
  readonly model: SentenceModel;
  /** Folder of its weights, tokenizer and runtime. */
  readonly build: string;
}

/** Returns the folder of an installation. */
export function buildFolder(folder: string, id: string): string {
  return join(folder, BUILDS, id);
}

/**
 * Reads which model is installed; null for none.
 *
 * @throws Error if the record is damaged or names a model that this version does not know.
 */
export async function installedModel(
  folder: string,
  models: readonly SentenceModel[] = SENTENCE_MODELS,
): Promise<InstalledModel | null> {
  const pointer = await readPointer(folder);
  if (!pointer) return null;
  const model = models.find(({ name }) => name === pointer.model);
  if (!model) throw new Error(`${join(folder, POINTER)} must name a known model`);
  return { model, build: buildFolder(folder, pointer.build) };
}

/** Makes an installation the one in use: after a crash it is this one or the one before. */
export async function useBuild(folder: string, model: string, build: string): Promise<void> {
  const record = Buffer.from(`${JSON.stringify({ model, build })}\n`);
  // The service may run as another user than the operator.
  await replaceFile(join(folder, POINTER), record, { mode: 0o644 });
}

/** Removes every installation but the one in use, such as one that a crash cut off. */
export async function removeOtherBuilds(folder: string): Promise<void> {
  const pointer = await readPointer(folder);
  const builds = (await unlessMissing(readdir(join(folder, BUILDS)))) ?? [];
  for (const name of builds)
    if (name !== pointer?.build) await rm(buildFolder(folder, name), { recursive: true });
}

async function readPointer(
  folder: string,
): Promise<{ readonly model: string; readonly build: string } | null> {
  const file = join(folder, POINTER);
  const text = await unlessMissing(readFile(file, 'utf8'));
  if (text === null) return null;
  try {
    const { model, build } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof model === 'string' && typeof build === 'string' && BUILD_NAME.test(build))
      return { model, build };
  } catch {
    // Reported below.
  }
  throw new Error(`${file} is damaged`);
}
