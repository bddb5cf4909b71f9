import type { ChunkRecord } from '../pack/analyzed-part.js';

/**
 * Data of a chunk that the ranker reads and a search cannot return. It is stored complete with each
 * row, in one column.
 */
export interface RankingData {
  readonly meta: RankingMeta;
  readonly scale: number;
  readonly vector: Int8Array;
  /**
   * Returns the weighted frequency of a term; 0 if the chunk lacks it.
   * @param needle from {@link termNeedle}.
   */
  frequencyOf(needle: Buffer): number;
  /** Returns every term, repeated by its weighted frequency. */
  tokens(): string;
}

export interface RankingMeta extends ChunkRecord {
  readonly tenant_id: string;
  readonly source_id: string;
  /** Model of the vector. */
  readonly embedder: string;
  /** Weighted length in terms. */
  readonly length: number;
}

const HEADER_BYTES = 12;
const FORMAT = 1;
const LINE = 0x0a;
const DIGIT_0 = 0x30;

/**
 * Encodes ranking data: format, dimensions, scale, length of the JSON; vector; JSON; one line
 * `term<tab>frequency` per term.
 */
export function encodeRanking(
  meta: RankingMeta,
  scale: number,
  vector: Int8Array,
  terms: Iterable<readonly [term: string, frequency: number]>,
): Buffer {
  const json = Buffer.from(JSON.stringify(meta));
  let lines = '\n';
  for (const [term, frequency] of terms) lines += `${term}\t${frequency}\n`;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16LE(FORMAT, 0);
  header.writeUInt16LE(vector.length, 2);
  header.writeFloatLE(scale, 4);
  header.writeUInt32LE(json.length, 8);
  const values = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return Buffer.concat([header, values, json, Buffer.from(lines)]);
}

/** @throws Error for bytes of another format. */
export function decodeRanking(bytes: Buffer): RankingData {
  if (bytes.length < HEADER_BYTES || bytes.readUInt16LE(0) !== FORMAT)
    throw new Error('unknown ranking data');
  const dimensions = bytes.readUInt16LE(2);
  const jsonAt = HEADER_BYTES + dimensions;
  const linesAt = jsonAt + bytes.readUInt32LE(8);
  const lines = bytes.subarray(linesAt);
  return {
    meta: JSON.parse(bytes.toString('utf8', jsonAt, linesAt)) as RankingMeta,
    scale: bytes.readFloatLE(4),
    vector: new Int8Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, dimensions),
    frequencyOf(needle) {
      const found = lines.indexOf(needle);
      if (found === -1) return 0;
      let frequency = 0;
      for (let at = found + needle.length; lines[at] !== LINE; at++) {
        frequency = frequency * 10 + (lines[at] as number) - DIGIT_0;
      }
      return frequency;
    },
    tokens: () => tokensOf(lines.toString()),
  };
}

export function termNeedle(term: string): Buffer {
  return Buffer.from(`\n${term}\t`);
}

function tokensOf(lines: string): string {
  const tokens: string[] = [];
  for (const line of lines.split('\n')) {
    const [term, frequency] = line.split('\t');
    if (term) for (let count = Number(frequency); count > 0; count--) tokens.push(term);
  }
  return tokens.join(' ');
}
