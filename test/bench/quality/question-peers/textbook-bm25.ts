import { BM25_B, BM25_K1, inverseDocumentFrequency } from '#retrieval';

/** A text that a query found, by its number, and its score. */
export interface FoundText {
  readonly text: number;
  readonly score: number;
}

/**
 * Returns BM25 as textbooks have it, over lower-cased words: nothing is stemmed, split or left out.
 * The returned function finds the texts with some word of a query, best first, equal ones in their
 * order. Scores are sums over the query's distinct words.
 */
export function textbookBm25(texts: readonly string[]): (query: string) => FoundText[] {
  const postings = new Map<string, { readonly text: number; readonly frequency: number }[]>();
  const lengths = texts.map((content, text) => {
    const words = wordsOf(content);
    const frequencies = new Map<string, number>();
    for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    for (const [word, frequency] of frequencies) {
      const places = postings.get(word);
      if (places) places.push({ text, frequency });
      else postings.set(word, [{ text, frequency }]);
    }
    return words.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / (texts.length || 1) || 1;
  const saturations = lengths.map((length) => BM25_K1 * (1 - BM25_B + (BM25_B * length) / average));
  return (query) => {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query))) {
      const places = postings.get(word) ?? [];
      const weight = inverseDocumentFrequency(texts.length, places.length);
      for (const { text, frequency } of places) {
        const share = (frequency * (BM25_K1 + 1)) / (frequency + (saturations[text] as number));
        scores.set(text, (scores.get(text) ?? 0) + weight * share);
      }
    }
    return Array.from(scores, ([text, score]) => ({ text, score })).sort(
      (a, b) => b.score - a.score || a.text - b.text,
    );
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
