import type { Chunk } from '#contracts';
import type { EmbeddingInput } from '#models';
import { analyzeQuery, type WeighedFields, weighTerms } from '#retrieval';
import { scanWords } from '#retrieval/analysis/scan-words';

import { Bags } from './bags.js';
import type { TextSink } from './read-repositories.js';
import type { PairKind, TextPair } from './text-pair.js';

/** Maximum number of counted terms and words; later new ones are rare. */
const MAX_COUNTED = 8_000_000;
/** Number of a passage's characters that the teacher reads. */
const TAUGHT_CHARACTERS = 500;

/** A pair without its terms, which are in the collection's bags under the same number. */
export interface KeptPair {
  readonly kind: PairKind;
  /** Number of its repository. */
  readonly repository: number;
  readonly group: string;
  readonly question: string;
  /** The beginning of the passage, for the teacher. */
  readonly passage: EmbeddingInput;
}

/** Frequency of a term. */
export interface TermCount {
  readonly term: string;
  /** Number of texts with it. */
  readonly texts: number;
  /** Number of repositories with it. */
  readonly repositories: number;
}

/** The collected data of the repositories: counts of terms and words, and the pairs. */
export class TextCollection implements TextSink {
  /** Chunks and questions. */
  texts = 0;
  /** Frequency of each written word in chunks and questions. */
  readonly words = new Map<string, number>();
  readonly pairs: KeptPair[] = [];
  readonly questions = new Bags();
  readonly passages = new Bags();
  private repository = -1;
  private readonly numbers = new Map<string, number>();
  private readonly textsOf: number[] = [];
  private readonly repositoriesOf: number[] = [];
  private readonly lastRepository: number[] = [];

  /** Starts the next repository. */
  beginRepository(): void {
    this.repository += 1;
  }

  chunk(chunk: Chunk & { readonly path: string }): void {
    this.countWords(chunk.content);
    this.countText(weighTerms(chunk).terms);
  }

  pair({ kind, group, question, passage }: TextPair): void {
    const asked = analyzeQuery(question);
    const found = weighTerms(passage);
    this.countWords(question);
    this.countText(asked.terms);
    this.questions.add(this.numbered(asked.terms), asked.frequencies);
    this.passages.add(this.numbered(found.terms), found.frequencies);
    this.pairs.push({
      kind,
      repository: this.repository,
      group: `${this.repository}/${group}`,
      question: own(question),
      passage: taughtPart(passage),
    });
  }

  /** Returns the counts of every term. */
  *termCounts(): Generator<TermCount> {
    for (const [term, number] of this.numbers) {
      const texts = this.textsOf[number] ?? 0;
      if (texts > 0) yield { term, texts, repositories: this.repositoriesOf[number] ?? 0 };
    }
  }

  /** Returns a table by the bags' numbers: `row` of the terms that have one, −1 of all others. */
  rowsOf(terms: readonly string[]): Int32Array {
    const rows = new Int32Array(this.numbers.size + 1).fill(-1);
    terms.forEach((term, row) => {
      const number = this.numbers.get(term);
      if (number !== undefined) rows[number] = row;
    });
    return rows;
  }

  private countText(terms: readonly string[]): void {
    this.texts += 1;
    for (const number of this.numbered(terms)) {
      if (number === 0) continue;
      this.textsOf[number] = (this.textsOf[number] ?? 0) + 1;
      if (this.lastRepository[number] === this.repository) continue;
      this.lastRepository[number] = this.repository;
      this.repositoriesOf[number] = (this.repositoriesOf[number] ?? 0) + 1;
    }
  }

  /** Returns numbers from 1 on; 0 for a term beyond the limit. */
  private numbered(terms: readonly string[]): Uint32Array {
    const { numbers } = this;
    return Uint32Array.from(terms, (term) => {
      let number = numbers.get(term);
      if (number === undefined && numbers.size < MAX_COUNTED)
        numbers.set(own(term), (number = numbers.size + 1));
      return number ?? 0;
    });
  }

  private countWords(text: string): void {
    const { words } = this;
    scanWords(text, (word) => {
      const count = words.get(word);
      if (count !== undefined) words.set(word, count + 1);
      else if (words.size < MAX_COUNTED) words.set(own(word), 1);
    });
  }
}

/** Returns the beginning of a passage, with its name. */
function taughtPart({ path, symbol, defs, content }: WeighedFields): EmbeddingInput {
  const names = symbol === undefined ? { defs: defs.map(own) } : { symbol: own(symbol), defs: [] };
  return { path, ...names, content: own(content.slice(0, TAUGHT_CHARACTERS)) };
}

/** Returns a copy, because a part of a long text would keep all of it in memory. */
function own(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
