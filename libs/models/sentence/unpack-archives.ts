import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { type Extract, extract } from 'tar-stream';
import { openPromise } from 'yauzl';

import { requireHash } from './download-file.js';
import { type SentenceModel, TOKENIZER_FILE, WEIGHTS_FILE } from './sentence-models.js';

/** Maximum size of an unpacked archive. */
const MAX_BYTES = 1024 * 1024 * 1024;
/** Platforms whose runtime is stored; all others are left out of the package. */
const OWN_BINARIES = `/${process.platform}/${process.arch}/`;

/**
 * Stores the files of an npm package that its use needs. Nothing is held in memory.
 *
 * @throws Error for a damaged or too large archive.
 */
export async function unpackPackage(archive: string, target: string): Promise<void> {
  const entries = extract();
  await Promise.all([
    pipeline(
      createReadStream(archive),
      createGunzip(),
      atMost(MAX_BYTES, basename(archive)),
      entries,
    ),
    storeWanted(entries, target),
  ]);
}

/**
 * Stores weights and tokenizer of a model; each must have its pinned hash.
 *
 * @throws Error for a damaged archive, a missing or a wrong file.
 */
export async function unpackModel(
  archive: string,
  model: SentenceModel,
  target: string,
): Promise<void> {
  const wanted = new Map([
    [model.weights.entry, { file: WEIGHTS_FILE, sha256: model.weights.sha256 }],
    [model.tokenizer.entry, { file: TOKENIZER_FILE, sha256: model.tokenizer.sha256 }],
  ]);
  const zip = await openPromise(archive, {});
  for await (const entry of zip.eachEntry()) {
    const known = wanted.get(entry.fileName);
    if (!known) continue;
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(part: Buffer, _, done) {
        hash.update(part);
        done(null, part);
      },
    });
    await store(await zip.openReadStreamPromise(entry), join(target, known.file), [
      atMost(MAX_BYTES, entry.fileName),
      hashing,
    ]);
    requireHash(hash, known.sha256, entry.fileName);
    wanted.delete(entry.fileName);
  }
  if (wanted.size > 0) throw new Error(`${model.name} lacks ${[...wanted.keys()].join(', ')}`);
}

async function storeWanted(entries: Extract, target: string): Promise<void> {
  for await (const entry of entries) {
    const { name, type } = entry.header;
    const path = name.replace(/^package\//, '');
    const isWanted =
      type === 'file' &&
      !path.split('/').includes('..') &&
      (path.startsWith('bin/') ? path.includes(OWN_BINARIES) : !/\.(map|d\.ts|ts)$/.test(path));
    if (isWanted) await store(entry as unknown as Readable, join(target, path));
    else entry.resume();
  }
}

/** Writes a stream to a new file and fsyncs it. */
async function store(
  content: Readable,
  file: string,
  through: readonly Transform[] = [],
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await pipeline([content, ...through, createWriteStream(file, { flush: true })]);
}

function atMost(maxBytes: number, name: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(part: Buffer, _, done) {
      bytes += part.byteLength;
      if (bytes > maxBytes) done(new Error(`${name} must unpack to at most ${maxBytes} bytes`));
      else done(null, part);
    },
  });
}
