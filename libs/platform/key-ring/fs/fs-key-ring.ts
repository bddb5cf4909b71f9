import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceFile, writeNewFile } from '../../files/durable.js';
import { FileLogBinding } from '../../log-binding/file-log-binding.js';
import type { BoundToLog, LogBinding } from '../../log-binding/log-binding.port.js';
import type { KeyRing, Sealed } from '../key-ring.port.js';
import { keySlot, openFrom, sealIn, type KeySlot } from '../key-slot.js';
import { decrypt, encrypt, masterKeyFingerprint } from '../sealing.js';

/** What stands in a destroyed key's file. */
const DESTROYED = Buffer.from('destroyed');

const MASTER_KEY_FILE = 'master.key';

/** Keys as files, one a tenant, wrapped by the master key; readable by the owner alone. The folder has one owner process. */
export class FsKeyRing implements KeyRing, BoundToLog {
  readonly logBinding: LogBinding;
  private readonly slots = new Map<string, Promise<KeySlot>>();

  private constructor(
    private readonly directory: string,
    private readonly master: Uint8Array,
  ) {
    this.logBinding = new FileLogBinding(directory, () => hasNoTenant(directory));
  }

  /**
   * Opens the folder, creating it. Without `masterKey` one is made there on first use.
   * @throws Error when the folder was made with another master key.
   */
  static async open(directory: string, masterKey?: Uint8Array): Promise<FsKeyRing> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const master = masterKey ?? (await ownMasterKey(join(directory, MASTER_KEY_FILE)));
    await checkFingerprint(join(directory, 'master.sha256'), master);
    return new FsKeyRing(directory, master);
  }

  async seal(tenantId: string, context: string, text: string): Promise<Sealed> {
    const slot = await this.slot(tenantId, true);
    return sealIn(slot, tenantId, context, text);
  }

  async open(tenantId: string, context: string, sealed: Sealed): Promise<string | null> {
    const slot = await this.slot(tenantId, false);
    return openFrom(slot, tenantId, context, sealed);
  }

  async destroy(tenantId: string): Promise<void> {
    await replaceFile(this.path(tenantId), DESTROYED);
    this.slots.set(tenantId, Promise.resolve('destroyed'));
  }

  private async slot(tenantId: string, create: boolean): Promise<KeySlot | null> {
    const known = this.slots.get(tenantId);
    if (known) return known;
    if (!create) return this.load(tenantId);
    const made = this.load(tenantId).then((slot) => slot ?? this.create(tenantId));
    this.slots.set(tenantId, made);
    made.catch(() => this.slots.delete(tenantId));
    return made;
  }

  private async load(tenantId: string): Promise<KeySlot | null> {
    const file = await readOptional(this.path(tenantId));
    if (file === null) return null;
    return file.equals(DESTROYED) ? 'destroyed' : keySlot(decrypt(this.master, tenantId, file));
  }

  private async create(tenantId: string): Promise<KeySlot> {
    const key = randomBytes(32);
    await replaceFile(this.path(tenantId), encrypt(this.master, tenantId, key));
    return keySlot(key);
  }

  private path(tenantId: string): string {
    if (!/^[0-9a-z-]{1,64}$/.test(tenantId)) throw new Error('A tenant id has lower-case letters, digits and dashes');
    return join(this.directory, `${tenantId}.key`);
  }
}

/** The master key wraps keys, and seals nothing itself. */
async function hasNoTenant(directory: string): Promise<boolean> {
  const names = await readdir(directory);
  return !names.some((name) => name.endsWith('.key') && name !== MASTER_KEY_FILE);
}

async function ownMasterKey(path: string): Promise<Buffer> {
  const existing = await readOptional(path);
  if (existing) return existing;
  const made = randomBytes(32);
  await writeNewFile(path, made);
  return made;
}

async function checkFingerprint(path: string, master: Uint8Array): Promise<void> {
  const fingerprint = masterKeyFingerprint(master);
  const existing = await readOptional(path);
  if (existing === null) return replaceFile(path, Buffer.from(fingerprint));
  if (existing.toString() !== fingerprint) {
    throw new Error('MASTER_KEY is not the key that this key ring was made with');
  }
}

async function readOptional(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
