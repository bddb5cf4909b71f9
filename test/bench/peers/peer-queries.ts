import type { SourceChunk } from '#contracts';
import { seeded } from '#platform';
import { STOP_WORDS } from '#retrieval/analysis/analyze-query';

/**
 * `name`: one that a single chunk defines. `keywords`: two or three words of a chunk. `sentence`:
 * the first of a function's comment, which is not in the corpus. `question`: five words of a chunk
 * in a sentence, where comments are too few.
 */
export type QueryKind = 'name' | 'keywords' | 'sentence' | 'question';

/**
 * A query made from one chunk, which is its answer; for `keywords` and `question` others may answer
 * as well.
 */
export interface KnownItemQuery {
  readonly kind: QueryKind;
  readonly text: string;
  readonly target: Target;
}

export interface Target {
  readonly chunkId: string;
  readonly content: string;
  readonly path: string;
  /** Every chunk of the file, this one too. */
  readonly fileChunkIds: readonly string[];
}

/** A sentence with the place of the function that it was taken from. */
export interface Sentence {
  readonly text: string;
  readonly path: string;
  readonly line: number;
}

const QUESTIONS: readonly ((words: readonly string[]) => string)[] = [
  (words) => `how does ${words.slice(0, 2).join(' ')} work with ${words.slice(2).join(' ')}`,
  (words) => `where is the ${words.slice(0, 3).join(' ')} of a ${words.slice(3).join(' ')}`,
  (words) => `what happens when the ${words.slice(0, 2).join(' ')} has ${words.slice(2).join(' ')}`,
  (words) => `which part uses ${words.slice(0, 4).join(' ')} for the ${words.slice(4).join(' ')}`,
];
const QUESTION_WORDS = 5;
const NAME = /^[\p{L}_]\w{4,}$/u;
const WORD = /\b[a-z]{4,14}\b/g;

/** The largest number of queries of each kind. */
export interface QueryCounts {
  readonly name: number;
  readonly keywords: number;
  /** Sentences as far as there are, questions for the rest. */
  readonly sentence: number;
}

/**
 * Queries of each kind, or as many as the chunks give; the same for a seed. Words are a chunk's
 * own, without stop words.
 */
export function knownItemQueries(
  chunks: readonly SourceChunk[],
  sentences: readonly Sentence[],
  counts: QueryCounts,
  seed = 7,
): readonly KnownItemQuery[] {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const files = Map.groupBy(chunks, ({ path }) => path);
  const target = ({ chunk_id, content, path }: SourceChunk): Target => {
    const fileChunkIds = (files.get(path) ?? []).map((chunk) => chunk.chunk_id);
    return { chunkId: chunk_id, content, path, fileChunkIds };
  };
  const names = shuffled(definedOnce(chunks), below)
    .slice(0, counts.name)
    .map(([text, chunk]): KnownItemQuery => ({ kind: 'name', text, target: target(chunk) }));
  const said = shuffled(sentences, below)
    .flatMap(({ text, path, line }): KnownItemQuery[] => {
      const chunk = files
        .get(path)
        ?.find(({ start_line = 0, end_line = 0 }) => start_line <= line && line <= end_line);
      return chunk ? [{ kind: 'sentence', text, target: target(chunk) }] : [];
    })
    .slice(0, counts.sentence);
  const order = shuffled(chunks, below).values();
  const fromWords = (
    kind: QueryKind,
    count: number,
    needs: () => number,
    say: (words: readonly string[], at: number) => string,
  ) => {
    const queries: KnownItemQuery[] = [];
    while (queries.length < count) {
      const { value: chunk } = order.next();
      if (!chunk) break;
      const wanted = needs();
      const words = shuffled(tellingWords(chunk.content), below).slice(0, wanted);
      if (words.length < wanted) continue;
      queries.push({ kind, text: say(words, queries.length), target: target(chunk) });
    }
    return queries;
  };
  const keywords = fromWords(
    'keywords',
    counts.keywords,
    () => 2 + below(2),
    (words) => words.join(' '),
  );
  const questions = fromWords(
    'question',
    counts.sentence - said.length,
    () => QUESTION_WORDS,
    (words, at) => (QUESTIONS[at % QUESTIONS.length] as (typeof QUESTIONS)[number])(words),
  );
  return [...names, ...keywords, ...said, ...questions];
}

/** Names of five letters and more that one chunk alone defines, each with that chunk. */
function definedOnce(chunks: readonly SourceChunk[]): (readonly [string, SourceChunk])[] {
  const definedBy = new Map<string, SourceChunk | null>();
  for (const chunk of chunks) {
    for (const name of new Set(chunk.defs)) definedBy.set(name, definedBy.has(name) ? null : chunk);
  }
  return [...definedBy].flatMap(([name, chunk]) =>
    chunk && NAME.test(name) ? [[name, chunk] as const] : [],
  );
}

function tellingWords(text: string): string[] {
  return [...new Set(text.match(WORD) ?? [])].filter((word) => !STOP_WORDS.has(word));
}

function shuffled<T>(items: readonly T[], below: (limit: number) => number): T[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = below(at + 1);
    [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
  }
  return mixed;
}
