import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { masterKeyFingerprint } from '../sealing.js';
import { DISK_FILES, type KeyFiles } from './key-files.js';
import {
  FINGERPRINT_FILE,
  fingerprintFile,
  MASTER_KEY_FILE,
  masterKeyFile,
  namesIn,
  readOptional,
  tenantFiles,
} from './ring-files.js';

type Unwrap = (master: Uint8Array, wrapped: Buffer) => Buffer;

/**
 * The master keys of a ring in files: the operator's, or the ring's own. A ring with a restored
 * older one has the own keys of both.
 */
export class MasterKeys {
  private made: Promise<[string, Uint8Array]> | undefined;

  private constructor(
    private readonly directory: string,
    /** By fingerprint; new keys are wrapped by the first. */
    private readonly known: Map<string, Uint8Array>,
    private readonly recorded: Set<string>,
    private readonly own: boolean,
    private readonly files: KeyFiles,
  ) {}

  /**
   * Reads the folder and writes nothing.
   * @param given the operator's master key; without it the ring has its own.
   * @throws Error if keys of the ring were wrapped by a missing master key, or by another than the
   * given one.
   */
  static async of(directory: string, given?: Uint8Array, files = DISK_FILES): Promise<MasterKeys> {
    const names = await namesIn(directory);
    const known = new Map<string, Uint8Array>();
    const recorded = new Set<string>();
    if (given) known.set(masterKeyFingerprint(given), given);
    for (const name of names.filter((each) => MASTER_KEY_FILE.test(each)).sort()) {
      const key = await readOptional(join(directory, name));
      if (!key) continue;
      known.set(masterKeyFingerprint(key), key);
      recorded.add(masterKeyFingerprint(key));
    }
    for (const name of names.filter((each) => FINGERPRINT_FILE.test(each))) {
      const fingerprint = await readOptional(join(directory, name));
      if (fingerprint) recorded.add(fingerprint.toString().trim());
    }
    const isRecorded = !given || recorded.size === 0 || recorded.has(masterKeyFingerprint(given));
    const lacks = [...recorded].some((fingerprint) => !known.has(fingerprint));
    if (given && (lacks || !isRecorded))
      throw new Error('MASTER_KEY is not the key that this key ring was made with');
    if (lacks || (known.size === 0 && tenantFiles(names).length > 0)) {
      throw new Error(
        'The key ring has keys of tenants and not the master key that wraps them: put master*.key back into its folder from ' +
          'the backup of the keys, or set MASTER_KEY if it was made with one; nothing was changed',
      );
    }
    return new MasterKeys(directory, known, recorded, given === undefined, files);
  }

  /**
   * Returns the key that wraps new keys, recorded in the existing folder; an own one is created on
   * first use.
   */
  async begin(): Promise<Uint8Array> {
    const [first] = this.known;
    const [fingerprint, key] =
      first ?? (await (this.made ??= this.make().finally(() => (this.made = undefined))));
    if (!this.recorded.has(fingerprint)) {
      await this.files.replaceFile(
        join(this.directory, fingerprintFile(fingerprint)),
        Buffer.from(fingerprint),
      );
      this.recorded.add(fingerprint);
    }
    return key;
  }

  /** @returns null if no master key of the ring fits. */
  unwrap(wrapped: Buffer, unwrap: Unwrap): Buffer | null {
    for (const master of this.known.values()) {
      try {
        return unwrap(master, wrapped);
      } catch {
        // Wrapped by another key, or damaged.
      }
    }
    return null;
  }

  private async make(): Promise<[string, Uint8Array]> {
    if (!this.own) throw new Error('A given master key is known from the start');
    const key = randomBytes(32);
    const fingerprint = masterKeyFingerprint(key);
    // It wraps nothing before it is on the disk, complete; otherwise the wrapped keys would be lost
    // at the next start.
    await this.files.replaceFile(join(this.directory, masterKeyFile(fingerprint)), key);
    this.known.set(fingerprint, key);
    return [fingerprint, key];
  }
}
