import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { formatVerifierKey, type NoteKey, type NoteSigner, noteSigner } from '#audit';
import { type Clock, lockFolder, syncFolder, unlessMissing, writeNewFile } from '#platform';

import { Witness } from './witness.js';
import { WitnessHeads } from './witness-heads.js';

export interface OpenWitnessOptions {
  /** Folder for the key and the heads; created if missing. One process uses it at a time. */
  readonly directory: string;
  /** Name of the key that a new folder gets. */
  readonly name: string;
  readonly logs: readonly NoteKey[];
  readonly clock: Pick<Clock, 'now'>;
}

export interface OpenedWitness {
  readonly witness: Witness;
  /** Public key, for `AUDIT_WITNESSES` of the service. */
  readonly key: string;
  close(): void;
}

/**
 * Opens a witness on its folder.
 * @throws FolderInUseError; Error if the folder belongs to a witness of another name.
 */
export async function openWitness({
  directory,
  name,
  logs,
  clock,
}: OpenWitnessOptions): Promise<OpenedWitness> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = lockFolder(directory);
  try {
    const signer = await openKey(directory, name);
    const heads = await WitnessHeads.open(join(directory, 'heads'));
    const witness = new Witness({ heads, signer, logs, clock });
    return { witness, key: formatVerifierKey(signer.key), close: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openKey(directory: string, name: string): Promise<NoteSigner> {
  const path = join(directory, 'key');
  const stored = await unlessMissing(readFile(path, 'utf8'));
  if (stored !== null) {
    const [storedName = '', seed = ''] = stored.split('\n');
    if (storedName === name) return noteSigner(name, 'cosignature', Buffer.from(seed, 'base64'));
    throw new Error(`--name must be ${storedName}, the name in ${path} (got ${name})`);
  }
  const seed = randomBytes(32);
  const signer = noteSigner(name, 'cosignature', seed);
  await writeNewFile(path, Buffer.from(`${name}\n${seed.toString('base64')}\n`));
  await syncFolder(directory);
  return signer;
}
