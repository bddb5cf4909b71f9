import { analyze, splitIdentifier } from '#retrieval/analysis/analyze';

/**
 * Returns the most frequent spelling of each term. A term is a stem, which a model would read as
 * another word or as none; an identifier is spelled as its parts.
 *
 * @param words frequency of each word in the texts.
 */
export function spellTerms(terms: readonly string[], words: ReadonlyMap<string, number>): string[] {
  const counts = new Map<string, Map<string, number>>(terms.map((term) => [term, new Map()]));
  const count = (term: string, spelling: string, times: number): void => {
    const of = counts.get(term);
    if (of) of.set(spelling, (of.get(spelling) ?? 0) + times);
  };
  for (const [word, times] of words) {
    const parts = splitIdentifier(word).map((part) => part.toLowerCase());
    if (parts.length > 1) count(word.toLowerCase(), parts.join(' '), times);
    for (const part of parts) for (const term of analyze(part)) count(term, part, times);
  }
  return terms.map((term) => mostFrequent(counts.get(term) as ReadonlyMap<string, number>) ?? term);
}

function mostFrequent(counts: ReadonlyMap<string, number>): string | undefined {
  let best: readonly [spelling: string, times: number] | undefined;
  for (const [spelling, times] of counts) {
    if (!best || times > best[1] || (times === best[1] && spelling < best[0]))
      best = [spelling, times];
  }
  return best?.[0];
}
