import { DistilError } from '../distil-error.js';
import type { TextCollection } from '../texts/text-collection.js';
import { spellTerms } from './spell-terms.js';

const MIN_TEXTS = 6;
/** With several repositories, a term of only one of them is a name. */
const MIN_REPOSITORIES = 2;
const MAX_LENGTH = 30;
const NUMBER = /^[\p{N}_]+$/u;

/** Terms that get a vector, the most frequent first. */
export interface Vocabulary {
  readonly terms: readonly string[];
  /** The most frequent spelling of each, which a teacher can read. */
  readonly spellings: readonly string[];
  /** ln(1 + texts / texts with the term). */
  readonly rarities: Float32Array;
}

/** @throws DistilError if no term is frequent enough. */
export function chooseWords(
  collection: TextCollection,
  repositories: number,
  most: number,
): Vocabulary {
  const least = Math.min(MIN_REPOSITORIES, repositories);
  const frequent = [...collection.termCounts()].filter(
    ({ term, texts, repositories: of }) =>
      texts >= MIN_TEXTS && of >= least && term.length <= MAX_LENGTH && !NUMBER.test(term),
  );
  if (frequent.length === 0) {
    throw new DistilError(
      `The repositories have ${collection.texts} texts and no word that ${MIN_TEXTS} of them share` +
        `${least > 1 ? ` over ${least} repositories` : ''}; add repositories`,
    );
  }
  frequent.sort((a, b) => b.texts - a.texts || (a.term < b.term ? -1 : 1));
  const chosen = frequent.slice(0, most);
  const terms = chosen.map(({ term }) => term);
  return {
    terms,
    spellings: spellTerms(terms, collection.words),
    rarities: Float32Array.from(chosen, ({ texts }) => Math.log(1 + collection.texts / texts)),
  };
}
