import { hash } from 'node:crypto';
import { closeSync, fdatasyncSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** The newest acknowledged event: its position and hash. */
export interface LogHead {
  readonly position: number;
  readonly hash: string;
}

const SLOT_BYTES = 4096;
const RECORD = /^(\d{20}) ([0-9a-f]{64}) ([0-9a-f]{16})\n/;

/**
 * The head of the log, stored outside of it. It is written and synced after the log and before the
 * acknowledgement. So a log that is behind it has lost acknowledged events. Two slots are written
 * in turn: a write torn by a crash damages only the slot of an append that was not acknowledged.
 */
export class LogHeadAnchor {
  private slot = 0;

  private constructor(private readonly file: number) {}

  /** Opens the file; creates an empty one if it is missing. */
  static open(path: string): LogHeadAnchor {
    let file: number;
    try {
      file = openSync(path, 'r+');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      file = openSync(path, 'wx+', 0o600);
      syncDirectory(dirname(path));
    }
    return new LogHeadAnchor(file);
  }

  /** Returns the newest head that was written completely, or null if there is none. */
  read(): LogHead | null {
    const slots = [readSlot(this.file, 0), readSlot(this.file, 1)];
    const newest = (slots[1]?.position ?? -1) > (slots[0]?.position ?? -1) ? 1 : 0;
    this.slot = newest === 1 ? 0 : 1;
    return slots[newest] ?? null;
  }

  /** Writes the head; durable when it returns. */
  write(head: LogHead): void {
    const body = `${head.position.toString().padStart(20, '0')} ${head.hash}`;
    const slot = Buffer.alloc(SLOT_BYTES);
    slot.write(`${body} ${checksum(body)}\n`, 'latin1');
    writeSync(this.file, slot, 0, SLOT_BYTES, this.slot * SLOT_BYTES);
    fdatasyncSync(this.file);
    this.slot = 1 - this.slot;
  }

  close(): void {
    closeSync(this.file);
  }
}

function readSlot(file: number, index: number): LogHead | null {
  const slot = Buffer.alloc(SLOT_BYTES);
  const length = readSync(file, slot, 0, SLOT_BYTES, index * SLOT_BYTES);
  const match = RECORD.exec(slot.toString('latin1', 0, length));
  if (!match || checksum(`${match[1]} ${match[2]}`) !== match[3]) return null;
  return { position: Number(match[1]), hash: match[2] ?? '' };
}

function checksum(body: string): string {
  return hash('sha256', body, 'hex').slice(0, 16);
}

/** Syncs a folder: a new file survives a power failure only after its folder is synced too. */
function syncDirectory(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
