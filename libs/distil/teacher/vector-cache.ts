import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { lockFolder, type ProcessLock } from '#platform';

const KEY_BYTES = 16;
const CHECK_BYTES = 4;
/** Maximum file size for additions. */
const MAX_BYTES = 8 * 1024 ** 3;
/** Number of records that are read at once when a cache is opened. */
const RECORDS_AT_ONCE = 1_024;

/**
 * Vectors on disk, by the hash of their text, so that an interrupted run can continue. One file per
 * model, without texts. A record that a crash left unfinished at the end is removed.
 */
export class VectorCache {
  private readonly places = new Map<string, number>();
  private readonly vectorBytes: number;
  private size = 0;

  private constructor(
    private readonly file: number,
    private readonly lock: ProcessLock,
    private readonly dimensions: number,
  ) {
    this.vectorBytes = dimensions * Float32Array.BYTES_PER_ELEMENT;
  }

  /**
   * @param model identifies everything that determines the vector of a text.
   * @throws FolderInUseError while another run uses the folder.
   */
  static open(folder: string, model: string, dimensions: number): VectorCache {
    mkdirSync(folder, { recursive: true });
    const name = hashOf(model).toString('hex');
    const lock = lockFolder(folder, `${name}.lock`);
    const cache = new VectorCache(
      openSync(join(folder, `${name}.vectors`), 'a+', 0o600),
      lock,
      dimensions,
    );
    cache.readPlaces();
    return cache;
  }

  get(text: string): Float32Array | undefined {
    const place = this.places.get(keyOf(text));
    if (place === undefined) return undefined;
    const bytes = new Uint8Array(this.vectorBytes);
    readSync(this.file, bytes, 0, bytes.length, place);
    return new Float32Array(bytes.buffer);
  }

  add(entries: readonly { readonly text: string; readonly vector: Float32Array }[]): void {
    const fresh = entries.filter(({ text }) => !this.places.has(keyOf(text)));
    if (this.size + fresh.length * this.recordBytes > MAX_BYTES) return;
    const records = fresh.map(({ text, vector }) => this.recordOf(text, vector));
    writeFileSync(this.file, Buffer.concat(records));
    for (const { text } of fresh) {
      this.places.set(keyOf(text), this.size + KEY_BYTES);
      this.size += this.recordBytes;
    }
  }

  close(): void {
    closeSync(this.file);
    this.lock.release();
  }

  private get recordBytes(): number {
    return KEY_BYTES + this.vectorBytes + CHECK_BYTES;
  }

  private recordOf(text: string, vector: Float32Array): Buffer {
    if (vector.length !== this.dimensions)
      throw new Error(`A vector must not have ${vector.length} dimensions`);
    const record = Buffer.alloc(this.recordBytes);
    hashOf(text).copy(record);
    record.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), KEY_BYTES);
    record.writeUInt32LE(crc32(record.subarray(0, -CHECK_BYTES)), record.length - CHECK_BYTES);
    return record;
  }

  private readPlaces(): void {
    const bytes = Buffer.alloc(this.recordBytes * RECORDS_AT_ONCE);
    const { size } = fstatSync(this.file);
    while (this.size < size) {
      const length = readSync(this.file, bytes, 0, bytes.length, this.size);
      const whole = Math.floor(length / this.recordBytes);
      for (let at = 0; at < whole; at++) {
        const record = bytes.subarray(at * this.recordBytes, (at + 1) * this.recordBytes);
        const check = record.readUInt32LE(record.length - CHECK_BYTES);
        if (crc32(record.subarray(0, -CHECK_BYTES)) !== check)
          return ftruncateSync(this.file, this.size);
        this.places.set(record.toString('latin1', 0, KEY_BYTES), this.size + KEY_BYTES);
        this.size += this.recordBytes;
      }
      if (whole < RECORDS_AT_ONCE) break;
    }
    ftruncateSync(this.file, this.size);
  }
}

function keyOf(text: string): string {
  return hashOf(text).toString('latin1');
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, KEY_BYTES);
}
