import { cachedWordTerms } from './analyse.js';
import { scanWords } from './scan-words.js';

const PATH_WEIGHT = 1;
const NAME_WEIGHT = 3;
const MAX_FREQUENCY = 255;

/** The fields of a chunk that are searched. */
export interface WeighedFields {
  readonly path: string;
  readonly symbol?: string | undefined;
  readonly defs: readonly string[];
  readonly content: string;
}

/** The weighted term stream of a chunk. */
export interface WeighedTerms {
  /** Distinct terms, in order of first appearance. */
  readonly terms: readonly string[];
  /** Weighted frequency of each term, at most 255. */
  readonly frequencies: Uint8Array;
  /** Weighted number of terms, not capped. */
  readonly length: number;
}

/** Simplified BM25F: one stream of the body once, the path without its extension once, and symbol and definitions three times. */
export function weighTerms(fields: WeighedFields): WeighedTerms {
  const counts = new Map<string, number>();
  let length = 0;
  let weight = 1;
  const count = (word: string): void => {
    for (const term of cachedWordTerms(word)) {
      counts.set(term, (counts.get(term) ?? 0) + weight);
      length += weight;
    }
  };
  scanWords(fields.content, count);
  weight = PATH_WEIGHT;
  scanWords(withoutExtension(fields.path), count);
  weight = NAME_WEIGHT;
  scanWords(fields.symbol ?? '', count);
  for (const name of fields.defs) if (!isNamedIn(name, fields.symbol)) scanWords(name, count);

  const terms: string[] = [];
  const frequencies = new Uint8Array(counts.size);
  for (const [term, frequency] of counts) {
    frequencies[terms.length] = Math.min(frequency, MAX_FREQUENCY);
    terms.push(term);
  }
  return { terms, frequencies, length };
}

/** `Class.method` already says `method`; a name is weighed once. */
function isNamedIn(name: string, symbol: string | undefined): boolean {
  return symbol !== undefined && symbol.split(/[^\p{L}\p{M}\p{N}_$]+/u).includes(name);
}

function withoutExtension(path: string): string {
  return path.replace(/\.[^./\\]*$/, '');
}
