import { createMemory } from '#retrieval/wasm-functions';

import type { PostingRange } from './query-terms.js';
import type { SearchedSegment } from './searched-view.js';
import { type WordMath, wordMathOver } from './word-math.js';

/** Postings that are copied into the memory at once; the processor's nearest cache has room. */
const BLOCK = 8_192;
/** Chunks of a segment from which copying its lengths and postings is worth it. */
const LEAST_COPIED = 2_048;
const NUMBER = Uint32Array.BYTES_PER_ELEMENT;
const GROWTH = 2;
/** Bytes that V8 copies at once out of shared memory, if both sides are aligned alike. */
const WORD = 8;
/** Offsets of the parts with a fixed size. */
const CHUNKS_AT = 0;
const FREQUENCIES_AT = BLOCK * NUMBER + WORD;
const LENGTHS_AT = FREQUENCIES_AT + BLOCK + WORD;

/** Parameters of BM25 for one term. */
export interface TermWeight {
  readonly idf: number;
  readonly base: number;
  readonly slope: number;
}

/** Memory for the segments of a search, with the functions over it. */
interface Space {
  /** Chunks that it has room for. */
  readonly chunks: number;
  readonly math: WordMath;
  readonly scoresAt: number;
  readonly touchedAt: number;
  readonly bytes: Uint8Array;
  readonly block: Uint32Array;
  readonly scores: Float32Array;
  readonly touched: Uint32Array;
}

/**
 * The scores of a segment's chunks by their words, of one search at a time. WebAssembly adds them
 * up in large segments; in small ones the same is computed in place, bit for bit.
 */
export class WordScores {
  private space = spaceFor(0);
  private segment: SearchedSegment | undefined;
  private touchedCount = 0;
  /** The segment whose lengths are in the memory; it may have been closed since. */
  private copied: WeakRef<SearchedSegment> | undefined;
  private lengthsAt = LENGTHS_AT;

  /** Number of chunks with a score. */
  get count(): number {
    return this.touchedCount;
  }

  /** Begins a segment; all scores are 0. */
  begin(segment: SearchedSegment): void {
    const { chunkCount } = segment.tables;
    const { chunks } = this.space;
    if (chunks < chunkCount) {
      // More than needed: each memory reserves much address space until it is collected.
      this.space = spaceFor(Math.max(chunkCount, GROWTH * chunks, LEAST_COPIED));
      this.copied = undefined;
    }
    this.segment = segment;
    this.touchedCount = 0;
  }

  /** Adds the share of one term to the chunks of its postings, each of which has one. */
  add(postings: PostingRange, weight: TermWeight): void {
    const segment = this.segment as SearchedSegment;
    if (segment.tables.chunkCount < LEAST_COPIED) return this.addInPlace(postings, weight);
    if (this.copied?.deref() !== segment) {
      this.lengthsAt = copyTo(this.space.bytes, segment.tables.lengths, LENGTHS_AT);
      this.copied = new WeakRef(segment);
    }
    const { to } = postings;
    for (let from = postings.from; from < to; from += BLOCK)
      this.addBlock(from, Math.min(to, from + BLOCK), weight);
  }

  /** Returns the score of a chunk; 0 without one. */
  scoreOf(chunk: number): number {
    return this.space.scores[chunk] as number;
  }

  /**
   * Finds chunks whose score reaches a value.
   * @param from number of the first chunk with a score to look at, in the order of their finding.
   * @param to number of the last one, exclusive; at most {@link WordScores.STEP} more.
   * @returns the chunks, in memory that the next call overwrites.
   */
  reaching(from: number, to: number, least: number): Uint32Array {
    const { math, scoresAt, touchedAt, block } = this.space;
    const [first, end] = [touchedAt + from * NUMBER, touchedAt + to * NUMBER];
    const foundEnd = math.reaching(first, end, scoresAt, least, CHUNKS_AT);
    return block.subarray(0, (foundEnd - CHUNKS_AT) / NUMBER);
  }

  /** Most chunks of one call of {@link WordScores.reaching}. */
  static readonly STEP = BLOCK;

  /** Ends a segment. */
  end(): void {
    const { math, scoresAt, touchedAt } = this.space;
    math.clear(touchedAt, touchedAt + this.touchedCount * NUMBER, scoresAt);
    this.touchedCount = 0;
    this.segment = undefined;
  }

  private addBlock(from: number, to: number, { idf, base, slope }: TermWeight): void {
    const { postingChunks, postingFrequencies } = (this.segment as SearchedSegment).tables;
    const { math, scoresAt, touchedAt, bytes } = this.space;
    const chunksAt = copyTo(bytes, postingChunks.subarray(from, to), CHUNKS_AT);
    const next = math.add(
      chunksAt,
      chunksAt + (to - from) * NUMBER,
      copyTo(bytes, postingFrequencies.subarray(from, to), FREQUENCIES_AT),
      this.lengthsAt,
      scoresAt,
      touchedAt + this.touchedCount * NUMBER,
      idf,
      base,
      slope,
    );
    this.touchedCount = (next - touchedAt) / NUMBER;
  }

  private addInPlace({ from, to }: PostingRange, { idf, base, slope }: TermWeight): void {
    const { postingChunks, postingFrequencies, lengths } = (this.segment as SearchedSegment).tables;
    const { scores, touched } = this.space;
    let count = this.touchedCount;
    for (let at = from; at < to; at += 1) {
      const chunk = postingChunks[at] as number;
      const frequency = postingFrequencies[at] as number;
      const score = scores[chunk] as number;
      if (score === 0) touched[count++] = chunk;
      scores[chunk] =
        score + (idf * frequency) / (frequency + base + slope * (lengths[chunk] as number));
    }
    this.touchedCount = count;
  }
}

/**
 * Copies bytes to an address, or a little after it, where they are aligned as in their own memory.
 * @returns the address.
 */
function copyTo(target: Uint8Array, values: Uint32Array | Uint8Array, address: number): number {
  const { buffer, byteOffset, byteLength } = values;
  const at = address + ((byteOffset - address) & (WORD - 1));
  target.set(new Uint8Array(buffer, byteOffset, byteLength), at);
  return at;
}

function spaceFor(chunks: number): Space {
  const scoresAt = LENGTHS_AT + chunks * NUMBER + WORD;
  const touchedAt = scoresAt + chunks * NUMBER;
  // Room for one more: each chunk is written before it is known whether it counts.
  const memory = createMemory(touchedAt + (chunks + 1) * NUMBER);
  const { buffer } = memory;
  return {
    chunks,
    math: wordMathOver(memory),
    scoresAt,
    touchedAt,
    bytes: new Uint8Array(buffer),
    block: new Uint32Array(buffer, CHUNKS_AT, BLOCK),
    scores: new Float32Array(buffer, scoresAt, chunks),
    touched: new Uint32Array(buffer, touchedAt, chunks),
  };
}
