import { createHash, randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import type { Embedder } from '#models';
import type { QuantizedVector } from '#retrieval';

/** A vector and the 32-byte hash of what was embedded. */
export interface JournalEntry extends QuantizedVector {
  readonly input: Buffer;
}

const CHECKSUM_BYTES = 4;
const INPUT_BYTES = 32;
const SCALE_BYTES = 4;
const HEAD_BYTES = CHECKSUM_BYTES + INPUT_BYTES + SCALE_BYTES;

/**
 * Vectors that a model has returned and no pack has yet. With it, an attempt that continues a
 * failed one does not request (and pay for) them again. Each attempt writes a file of its own. A
 * record that a crash left incomplete fails its checksum and ends the reading of its file. Losing
 * the journal costs requests and nothing else.
 */
export class VectorJournal {
  private readonly folder: string;
  private readonly file: string;
  private readonly recordBytes: number;
  private written: Promise<unknown> = Promise.resolve();

  /** @param directory of the source alone. */
  constructor(
    private readonly directory: string,
    { id, dimensions }: Pick<Embedder, 'id' | 'dimensions'>,
  ) {
    // Vectors of two models must never meet.
    this.folder = join(
      directory,
      createHash('sha256').update(`${id}\n${dimensions}`).digest('hex').slice(0, 32),
    );
    this.file = join(this.folder, `${randomUUID()}.vectors`);
    this.recordBytes = HEAD_BYTES + dimensions;
  }

  /** Returns the entries of earlier attempts. */
  async read(): Promise<readonly JournalEntry[]> {
    const entries: JournalEntry[] = [];
    for (const name of await readdir(this.folder).catch(() => [])) {
      const bytes = await readFile(join(this.folder, name)).catch(() => Buffer.alloc(0));
      for (let at = 0; at + this.recordBytes <= bytes.length; at += this.recordBytes) {
        const record = bytes.subarray(at, at + this.recordBytes);
        if (crc32(record.subarray(CHECKSUM_BYTES)) !== record.readUInt32LE(0)) break;
        entries.push({
          input: record.subarray(CHECKSUM_BYTES, CHECKSUM_BYTES + INPUT_BYTES),
          scale: record.readFloatLE(CHECKSUM_BYTES + INPUT_BYTES),
          q: new Int8Array(
            record.buffer,
            record.byteOffset + HEAD_BYTES,
            record.length - HEAD_BYTES,
          ),
        });
      }
    }
    return entries;
  }

  /** Writes entries behind those before. @throws what the file system throws. */
  async append(entries: readonly JournalEntry[]): Promise<void> {
    const records = Buffer.concat(entries.map((entry) => this.record(entry)));
    const turn = this.written.then(async () => {
      await mkdir(this.folder, { recursive: true });
      await appendFile(this.file, records);
    });
    this.written = turn.catch(() => undefined);
    await turn;
  }

  /** Forgets everything of the source, the vectors of other models included. */
  async remove(): Promise<void> {
    await this.written;
    await rm(this.directory, { recursive: true, force: true });
  }

  private record({ input, q, scale }: JournalEntry): Buffer {
    const record = Buffer.alloc(this.recordBytes);
    input.copy(record, CHECKSUM_BYTES);
    record.writeFloatLE(scale, CHECKSUM_BYTES + INPUT_BYTES);
    record.set(new Uint8Array(q.buffer, q.byteOffset, q.byteLength), HEAD_BYTES);
    record.writeUInt32LE(crc32(record.subarray(CHECKSUM_BYTES)), 0);
    return record;
  }
}
