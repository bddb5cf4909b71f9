// Finds sentences that are too long to be read once. The ESLint rule `short-sentences` and
// `tools/language-report.mjs` share it.

/** The most words of a sentence in a comment. */
export const MAX_WORDS = 25;

/** A new paragraph: an empty line, an item of a list, a row of a table or a tag (`@param`). */
const PARAGRAPH = /\n\s*(?=\n|[-*|]\s|\d+\.\s|@)/;
/** A sentence ends with a period; a colon or semicolon ends it where a capital follows. */
const SENTENCE_END = /(?<=[.!?]["”)]?)\s+|(?<=[:;])\s+(?=["“(]?[A-Z@])/;
const ABBREVIATION = /\b(?:e\.g|i\.e|cf|vs|approx|incl)\./g;

/**
 * Finds the sentences with more words than {@link MAX_WORDS}. A code span, a link and a URL count
 * as one word; dashes, arrows and other tokens without a letter or digit as none.
 *
 * @param {string} text a comment without its delimiters; line breaks separate items of lists
 * @returns {readonly {readonly words: number, readonly start: string}[]} the count of each, and its
 * first words
 */
export function longSentences(text) {
  return withoutCode(text)
    .split(PARAGRAPH)
    .flatMap((paragraph) => paragraph.trim().split(SENTENCE_END))
    .map(wordsOf)
    .filter((words) => words.length > MAX_WORDS)
    .map((words) => ({ words: words.length, start: words.slice(0, 5).join(' ') }));
}

function withoutCode(text) {
  return text
    .replace(/^\s*```[^]*?^\s*```/gm, '')
    .replace(/`[^`]*`/g, (code) => code.replace(/\s+/g, '_').replace(/[.:;!?]/g, '_'))
    .replace(/\{@link [^}]*\}/g, '{@link}')
    .replace(/\bhttps?:\/\/\S+/g, (url) => `URL${/[.,;:)]*$/.exec(url)?.[0]}`)
    .replace(ABBREVIATION, (word) => word.slice(0, -1));
}

function wordsOf(sentence) {
  return sentence.split(/\s+/).filter((token) => /[\p{L}\p{N}_]/u.test(token));
}
