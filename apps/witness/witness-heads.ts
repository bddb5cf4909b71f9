import { hash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { WitnessedHead } from '#audit';
import { replaceFile } from '#platform';

/** A file of the folder: what the witness last cosigned for one log. */
interface StoredHead {
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** The signed checkpoint, as evidence. */
  readonly checkpoint: string;
}

/**
 * Heads that a witness cosigned, one file per log. A head is durable before its cosignature leaves
 * the process, so a crash never makes the witness forget what it confirmed.
 */
export class WitnessHeads {
  private constructor(
    private readonly folder: string,
    private readonly heads: Map<string, WitnessedHead>,
  ) {}

  /** @throws Error for a file that is damaged: without it the witness would confirm anything. */
  static async open(folder: string): Promise<WitnessHeads> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const heads = new Map<string, WitnessedHead>();
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.json')) continue;
      const path = join(folder, name);
      const stored = parse(await readFile(path, 'utf8'));
      if (!stored || fileOf(stored.origin) !== name)
        throw new Error(`${path} is damaged; restore it from a backup`);
      heads.set(stored.origin, { size: stored.size, root: Buffer.from(stored.root, 'base64') });
    }
    return new WitnessHeads(folder, heads);
  }

  /** Returns the last head of a log, or null. */
  of(origin: string): WitnessedHead | null {
    return this.heads.get(origin) ?? null;
  }

  /** Replaces the head of a log; resolves when it is durable. */
  async put(origin: string, { size, root }: WitnessedHead, checkpoint: string): Promise<void> {
    const stored: StoredHead = { origin, size, root: root.toString('base64'), checkpoint };
    const bytes = Buffer.from(`${JSON.stringify(stored, null, 2)}\n`);
    await replaceFile(join(this.folder, fileOf(origin)), bytes);
    this.heads.set(origin, { size, root });
  }
}

function fileOf(origin: string): string {
  return `${hash('sha256', origin, 'hex')}.json`;
}

function parse(text: string): StoredHead | null {
  try {
    const { origin, size, root, checkpoint } = JSON.parse(text) as Partial<StoredHead>;
    if (typeof origin !== 'string' || typeof checkpoint !== 'string') return null;
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return null;
    if (typeof root !== 'string' || Buffer.from(root, 'base64').length !== 32) return null;
    return { origin, size, root, checkpoint };
  } catch {
    return null;
  }
}
