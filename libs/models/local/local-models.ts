import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  createMeaningModel,
  embedMeaning,
  MEANING_ID,
  meaningEmbedder,
} from '#retrieval/embedding/embed-meaning';
import { TermVectors } from '#retrieval/embedding/term-vectors';
import { type LocalModel, WORD_HASHING } from '#retrieval/local-model';
import { modelProfile, TERM_VECTORS } from '#retrieval/ranking/model-profiles';

import { decodeModelFile, type ModelFile } from './model-file.js';
import { ModelFileError } from './model-file-header.js';

/** The id of a model, and its file if it is not built in: a worker thread needs both to open it. */
export interface LocalModelAddress {
  readonly id: string;
  /** Absolute path. */
  readonly file?: string | undefined;
}

/**
 * The models of every process, by id, the default one first. A new recipe of vectors gets a new id;
 * none is removed.
 */
const BUILT_IN: Readonly<Record<string, () => LocalModel>> = {
  [MEANING_ID]: () => builtInFile(MEANING_ID, MEANING_FILE),
  [WORD_HASHING.id]: () => WORD_HASHING,
};

/** Next to the code, in dist too (`tools/model-files.mjs`). */
const MEANING_FILE = fileURLToPath(new URL(`../data/${MEANING_ID}.bin`, import.meta.url));
/** Larger files are rejected. */
const MAX_FILE_BYTES = 512 * 1024 ** 2;

export const BUILT_IN_MODEL_IDS: readonly string[] = Object.keys(BUILT_IN);

const opened = new Map<string, LocalModel>();

/**
 * Opens a model that embeds in the process, once per thread.
 * @throws ModelFileError if its file cannot be read, is invalid or damaged, or contains another
 * model than the address says.
 */
export function localModel({ id, file }: LocalModelAddress): LocalModel {
  const key = `${file ?? ''}\n${id}`;
  const known = opened.get(key);
  if (known) return known;
  const model = file === undefined ? BUILT_IN[id]?.() : ownModel(file);
  if (model?.id !== id)
    throw new ModelFileError(
      `${file ?? id} is no longer the model ${id}: it is ${model?.id ?? 'not built in'}`,
    );
  opened.set(key, model);
  return model;
}

/**
 * Returns the address of a configured model: a built-in one by its id, or the file of a team's own.
 * @returns undefined for anything else.
 * @throws ModelFileError.
 */
export function findLocalModel(named: string): LocalModelAddress | undefined {
  if (Object.hasOwn(BUILT_IN, named)) return { id: named };
  if (!isAbsolute(named)) return undefined;
  const model = ownModel(named);
  const address = { id: model.id, file: named };
  opened.set(`${named}\n${model.id}`, model);
  return address;
}

/**
 * Opens a file that may change: its content is part of the model's id, so vectors of two contents
 * are never compared.
 */
function ownModel(path: string): LocalModel {
  const bytes = read(path);
  const file = naming(path, () => decodeModelFile(bytes));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return modelOf(file, `${file.header.id}+${hash}`, file.header.ranking ?? TERM_VECTORS);
}

function builtInFile(id: string, path: string): LocalModel {
  const file = naming(path, () => decodeModelFile(read(path)));
  if (file.header.id !== id)
    throw new ModelFileError(`${path} is the model ${file.header.id}, not ${id}`);
  return modelOf(file, id, modelProfile(id));
}

function modelOf(
  { header, tables }: ModelFile,
  id: string,
  profile: LocalModel['profile'],
): LocalModel {
  const { dimensions, hashedDimensions, share } = header;
  const model = createMeaningModel({
    vectors: new TermVectors(tables),
    dimensions,
    hashedDimensions,
    share,
  });
  return {
    id,
    dimensions: hashedDimensions + dimensions,
    profile,
    embed: (terms, frequencies) => embedMeaning(model, terms, frequencies),
    over: (terms) => meaningEmbedder(model, terms),
  };
}

function read(path: string): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES)
      throw new ModelFileError(`has ${size} bytes, of which ${MAX_FILE_BYTES} are read at most`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof ModelFileError) throw new ModelFileError(`${path} ${error.message}`);
    throw new ModelFileError(
      `${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
    );
  }
}

function naming<T>(path: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof ModelFileError ? new ModelFileError(`${path} ${error.message}`) : error;
  }
}
