import { seeded } from '#platform';
import type { ApiClient } from '#test/support/api-client';

const PHRASES = [
  'where is the configuration read',
  'how are errors handled and reported',
  'parse the request body',
  'open a connection to the database',
  'write the record to the log',
  'retry after a failure',
  'close and release resources',
  'validate user input',
  'compute the checksum of a file',
  'convert between units of time',
];

/**
 * Queries of two kinds, half names that occur in the corpus and half phrases made of its words; the
 * same for a seed.
 */
export async function makeQueries(
  client: ApiClient,
  count: number,
  seed = 7,
): Promise<readonly string[]> {
  const random = seeded(seed);
  const symbols: string[] = [];
  const words: string[] = [];
  for (const phrase of PHRASES) {
    const { results = [] } = await client.search(phrase, { top_k: 50, max_tokens: 32_000 });
    for (const { citation, content } of results) {
      const name = citation.symbol?.split(/[.\s>]+/).at(-1);
      if (name && /^\w+$/.test(name)) symbols.push(name);
      words.push(...(content.match(/[a-z]{4,12}/g) ?? []).slice(0, 40));
    }
  }
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? 'main';
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? pick(symbols)
      : Array.from({ length: 3 + Math.floor(random() * 4) }, () => pick(words)).join(' '),
  );
}

/** A line of a comment that is a sentence, without its marks. */
const SENTENCE = /^\s*(?:\*|\/\/|#)\s+([A-Z][a-z]+(?: [a-z][\w'-]*){5,15})[.,:]?\s*$/gm;

/** Returns sentences of comments in the corpus, each once; the same for the same corpus. */
export async function makeSentences(client: ApiClient, count: number): Promise<readonly string[]> {
  const sentences = new Set<string>();
  for (const phrase of PHRASES) {
    const { results = [] } = await client.search(phrase, { top_k: 50, max_tokens: 32_000 });
    for (const { content } of results)
      for (const [, sentence = ''] of content.matchAll(SENTENCE)) sentences.add(sentence);
  }
  return [...sentences].slice(0, count);
}
