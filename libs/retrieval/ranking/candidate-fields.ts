import { ColumnMemory } from './column-memory.js';
import { sameContent } from './content-map.js';
import type { RankCandidate } from './rank.types.js';
import { NO_LINE } from './rank-input.js';

/** Memory of a ranking, by its chunks. */
const BYTES_A_CHUNK = 160;

/** Fields of candidates that show repeats, as columns in the order of the candidates. */
export class CandidateFields<C extends RankCandidate> {
  readonly memory: ColumnMemory;
  readonly startLines: Uint32Array;
  readonly endLines: Uint32Array;
  readonly contentNumbers: Uint32Array;

  constructor(readonly candidates: readonly C[]) {
    this.memory = new ColumnMemory(BYTES_A_CHUNK * candidates.length);
    this.startLines = Uint32Array.from(candidates, ({ startLine }) => startLine ?? NO_LINE);
    this.endLines = Uint32Array.from(candidates, ({ endLine }) => endLine ?? NO_LINE);
    this.contentNumbers = Uint32Array.from(candidates, numberContents());
  }

  get count(): number {
    return this.candidates.length;
  }

  schemaHash(at: number): string | undefined {
    return this.candidate(at).schemaHash;
  }

  isSameContent(at: number, other: number): boolean {
    return sameContent(this.candidate(at), this.candidate(other));
  }

  protected candidate(at: number): C {
    return this.candidates[at] as C;
  }
}

/** Returns a function that numbers contents, by the numbers or the hashes of an index. */
function numberContents(): (candidate: RankCandidate) => number {
  const numbers = new Map<number | string, number>();
  return ({ contentNumber, contentHash }) => {
    const key = contentNumber ?? contentHash;
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = numbers.size));
    return number;
  };
}
