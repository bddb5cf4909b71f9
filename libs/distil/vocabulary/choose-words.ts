import { DistilError } from '../distil-error.js';
import type { TextCollection } from '../texts/text-collection.js';
import { spellTerms } from './spell-terms.js';

const LEAST_TEXTS = 6;
/** Where there are several, a term of one alone is a name of its own. */
const LEAST_REPOSITORIES = 2;
const MAX_LENGTH = 30;
const NUMBER = /^[\p{N}_]+$/u;

/** Terms that get a vector, the most frequent first. */
export interface Vocabulary {
  readonly terms: readonly string[];
  /** How each is written most often: what a teacher can read. */
  readonly spellings: readonly string[];
  /** ln(1 + texts / texts with the term). */
  readonly rarities: Float32Array;
}

/** @throws DistilError when no term is frequent enough */
export function chooseWords(
  collection: TextCollection,
  repositories: number,
  most: number,
): Vocabulary {
  const least = Math.min(LEAST_REPOSITORIES, repositories);
  const frequent = [...collection.termCounts()].filter(
    ({ term, texts, repositories: of }) =>
      texts >= LEAST_TEXTS && of >= least && term.length <= MAX_LENGTH && !NUMBER.test(term),
  );
  if (frequent.length === 0) {
    throw new DistilError(
      `The repositories have ${collection.texts} texts and no word that ${LEAST_TEXTS} of them share` +
        `${least > 1 ? ` over ${least} repositories` : ''}: too few to distil from.`,
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
