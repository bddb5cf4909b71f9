import { cachedWordTerms } from './analyze.js';
import { isAscii, scanAscii, scanWords } from './scan-words.js';
import { WordTable } from './word-table.js';

const PATH_WEIGHT = 1;
const NAME_WEIGHT = 3;
const MAX_FREQUENCY = 255;
const FIRST_TERMS = 256;

/** Fields of a chunk that are searched. */
export interface WeighedFields {
  readonly path: string;
  readonly symbol?: string | undefined;
  readonly defs: readonly string[];
  readonly content: string;
}

/** The weighted term stream of a chunk, by the ids of its terms in a dictionary. */
export interface WeighedIds {
  /** Distinct, in order of first appearance. */
  readonly ids: readonly number[];
  /** Weighted frequency of each, at most 255. */
  readonly frequencies: Uint8Array;
  /** Weighted number of terms, not capped. */
  readonly length: number;
}

/**
 * Weighs chunks with one dictionary. Texts repeat their words: each word is split and its terms are
 * looked up once for all texts. The dictionary grows with the texts; use one for a part of a
 * source, not permanently.
 */
export class TermDictionary {
  /** Terms in order of first appearance; the id of a term is its place. */
  readonly terms: string[] = [];
  private readonly idOf = new Map<string, number>();
  private readonly words = new WordTable();
  /** Ids of the terms of each word of `words`. */
  private readonly wordTerms: (readonly number[])[] = [];
  /** Counts of the current text: a count is valid where `seenIn` has the text's number. */
  private counts = new Float64Array(FIRST_TERMS);
  private seenIn = new Uint32Array(FIRST_TERMS);
  private text = 0;
  private ids: number[] = [];
  private length = 0;

  /**
   * Weighs a chunk by simplified BM25F. One stream has the body once, the path without its
   * extension once, and symbol and definitions three times.
   */
  weigh(fields: WeighedFields): WeighedIds {
    this.text += 1;
    this.ids = [];
    this.length = 0;
    this.add(fields.content, 1);
    this.add(withoutExtension(fields.path), PATH_WEIGHT);
    this.add(fields.symbol ?? '', NAME_WEIGHT);
    for (const name of fields.defs)
      if (!isNamedIn(name, fields.symbol)) this.add(name, NAME_WEIGHT);
    const { ids, counts, length } = this;
    const frequencies = new Uint8Array(ids.length);
    for (let at = 0; at < ids.length; at++) {
      frequencies[at] = Math.min(counts[ids[at] as number] as number, MAX_FREQUENCY);
    }
    return { ids, frequencies, length };
  }

  private add(text: string, weight: number): void {
    if (isAscii(text))
      scanAscii(text, (from, to) => this.count(this.termsAt(text, from, to), weight));
    else scanWords(text, (word) => this.count(this.idsOf(cachedWordTerms(word)), weight));
  }

  private termsAt(text: string, from: number, to: number): readonly number[] {
    const word = this.words.numberOf(text, from, to);
    return (this.wordTerms[word] ??= this.idsOf(cachedWordTerms(text.slice(from, to))));
  }

  private idsOf(terms: readonly string[]): readonly number[] {
    return terms.map((term) => {
      const known = this.idOf.get(term);
      if (known !== undefined) return known;
      const id = this.terms.length;
      this.idOf.set(term, id);
      this.terms.push(term);
      if (id === this.counts.length) this.grow();
      return id;
    });
  }

  private count(ids: readonly number[], weight: number): void {
    const { counts, seenIn, text } = this;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number;
      this.length += weight;
      if (seenIn[id] === text) {
        counts[id] = (counts[id] as number) + weight;
        continue;
      }
      seenIn[id] = text;
      counts[id] = weight;
      this.ids.push(id);
    }
  }

  private grow(): void {
    const { counts, seenIn } = this;
    this.counts = new Float64Array(2 * counts.length);
    this.counts.set(counts);
    this.seenIn = new Uint32Array(2 * seenIn.length);
    this.seenIn.set(seenIn);
  }
}

/**
 * Returns whether a symbol contains a name: `Class.method` includes `method`. A name is weighed
 * once.
 */
function isNamedIn(name: string, symbol: string | undefined): boolean {
  return symbol !== undefined && symbol.split(/[^\p{L}\p{M}\p{N}_$]+/u).includes(name);
}

function withoutExtension(path: string): string {
  return path.replace(/\.[^./\\]*$/, '');
}
