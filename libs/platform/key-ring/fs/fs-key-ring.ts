import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceFile } from '../../files/replace-file.js';
import { asStorageFull } from '../../files/storage-full.js';
import { FileLogBinding } from '../../log-binding/file-log-binding.js';
import type { BoundToLog, LogBinding } from '../../log-binding/log-binding.port.js';
import type { KeyRing, Sealed, TenantKeys } from '../key-ring.port.js';
import { keyObject, type KeySlot, newKeyId, openFrom, sealIn, standingOf } from '../key-slot.js';
import { decrypt, encrypt } from '../sealing.js';
import { DISK_FILES, type KeyFiles } from './key-files.js';
import { MasterKeys } from './master-keys.js';
import {
  destroyedFile,
  hasNoTenant,
  keyFile,
  keyFilesOf,
  namesIn,
  readOptional,
} from './ring-files.js';

/** Content of a destroyed key's file. */
const DESTROYED = Buffer.from('destroyed');

/**
 * Keys as files, wrapped by the master key; readable by the owner alone. The folder has one owner
 * process. File names of two rings differ: a lost ring that is found can be copied into its
 * replacement, and both sets of keys work.
 */
export class FsKeyRing implements KeyRing, BoundToLog {
  readonly logBinding: LogBinding;
  private readonly slots = new Map<string, Promise<KeySlot>>();

  private constructor(
    private readonly directory: string,
    private readonly masters: MasterKeys,
    private readonly files: KeyFiles,
  ) {
    const file = new FileLogBinding(directory, () => hasNoTenant(directory));
    this.logBinding = {
      boundTo: () => file.boundTo(),
      isEmpty: () => file.isEmpty(),
      bind: async (log) => {
        await this.begin();
        await file.bind(log);
      },
    };
  }

  /**
   * Opens the folder. Nothing is written before the ring is bound to a log or seals. Without
   * `masterKey` one is created at that time.
   * @param files writer of the keys; default: on the disk.
   * @throws Error if the folder was created with another master key, or its own master key is
   * missing.
   */
  static async open(
    directory: string,
    masterKey?: Uint8Array,
    files = DISK_FILES,
  ): Promise<FsKeyRing> {
    return new FsKeyRing(directory, await MasterKeys.of(directory, masterKey, files), files);
  }

  async seal(tenantId: string, context: string, text: string): Promise<Sealed> {
    const slot = await this.slot(tenantId, true);
    return sealIn(slot, tenantId, context, text);
  }

  async open(tenantId: string, context: string, sealed: Sealed): Promise<string | null> {
    return openFrom(await this.slot(tenantId, false), context, sealed);
  }

  async standing(tenantId: string): Promise<TenantKeys> {
    return standingOf(await this.slot(tenantId, false));
  }

  async destroy(tenantId: string): Promise<void> {
    await this.begin();
    await destroyKeyFiles(this.directory, tenantId);
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

  /**
   * Loads the keys of a tenant. A file that no master key of the ring unwraps contains no key of
   * it; `standing` reports if none is left.
   */
  private async load(tenantId: string): Promise<KeySlot | null> {
    if (await readOptional(join(this.directory, destroyedFile(tenantId)))) return 'destroyed';
    const names = await namesIn(this.directory);
    const keys = new Map<string, ReturnType<typeof keyObject>>();
    for (const { name, id } of keyFilesOf(tenantId, names)) {
      const wrapped = await readOptional(join(this.directory, name));
      if (wrapped?.equals(DESTROYED)) return 'destroyed';
      const key =
        wrapped &&
        this.masters.unwrap(wrapped, (master, bytes) => decrypt(master, tenantId, bytes));
      if (key) keys.set(id, keyObject(key));
    }
    return keys.size > 0 ? keys : null;
  }

  private async create(tenantId: string): Promise<KeySlot> {
    const [id, key] = [newKeyId(), randomBytes(32)];
    const master = await this.begin();
    const path = join(this.directory, keyFile(tenantId, id));
    try {
      await this.files.writeNewFile(path, encrypt(master, tenantId, key));
    } catch (error) {
      // A partly written key opens nothing and does not affect others, because ids are always new.
      await rm(path, { force: true }).catch(() => undefined);
      throw asStorageFull(error, 'The key ring');
    }
    return new Map([[id, keyObject(key)]]);
  }

  private async begin(): Promise<Uint8Array> {
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      return await this.masters.begin();
    } catch (error) {
      throw asStorageFull(error, 'The key ring');
    }
  }
}

/**
 * Destroys the keys of a tenant in a ring that nobody has open, permanently. It needs no master
 * key.
 */
export async function destroyKeyFiles(directory: string, tenantId: string): Promise<void> {
  // This file survives a copy of the ring that is restored over it.
  await replaceFile(join(directory, destroyedFile(tenantId)), DESTROYED);
  for (const { name } of keyFilesOf(tenantId, await namesIn(directory))) {
    await replaceFile(join(directory, name), DESTROYED);
  }
}
