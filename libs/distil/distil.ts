import type { Chunker } from '#ingest';
import { type EmbeddingInput, encodeModelFile, type ModelFileHeader } from '#models';
import { ANALYZER_ID } from '#retrieval';

import { DistilError } from './distil-error.js';
import { checkHeader, checkSize, checkTeacher, type DistilSettings } from './distil-settings.js';
import { fitRows, type TaughtTexts } from './fit/fit-rows.js';
import { meanReciprocalRank } from './fit/reciprocal-rank.js';
import { type TrainingPair, type TrainingPairs, trainingPairs } from './fit/training-texts.js';
import { startingRows, WordSpace } from './fit/word-space.js';
import { Seeded } from './seeded.js';
import type { Taught, Teacher, TeachingProgress } from './teacher/teacher.js';
import { readRepository, type Repository } from './texts/read-repositories.js';
import { type KeptPair, TextCollection } from './texts/text-collection.js';
import { PAIR_KINDS } from './texts/text-pair.js';
import { chooseWords, type Vocabulary } from './vocabulary/choose-words.js';
import { choosePieces, fitPieces, PIECE_SIZES, type Pieces } from './vocabulary/pieces.js';

export interface DistilDependencies {
  readonly chunker: Chunker;
  readonly teacher: Teacher;
  /** Receives a line about the progress. */
  readonly tell: (line: string) => void;
  /** Milliseconds, for the times in the lines and the summary. */
  readonly now: () => number;
}

/** The results of a distillation. */
export interface Distilled {
  readonly bytes: Uint8Array;
  readonly header: ModelFileHeader;
  readonly words: number;
  readonly pieces: number;
  /** Mean reciprocal rank over the held-out pairs, before and after the fit. */
  readonly heldOut: HeldOut;
  /** Texts that the teacher embedded. */
  readonly asked: number;
  /** Minutes of each phase. */
  readonly minutes: Readonly<Record<Phase, number>>;
}

interface HeldOut {
  readonly pairs: number;
  readonly before: number;
  readonly after: number;
}

type Phase = 'reading' | 'teaching' | 'fitting' | 'writing';

/** Seeds of the two samples for the teacher. */
const QUESTIONS_SEED = 40;
const PASSAGES_SEED = 16;

/**
 * Distills a teacher into static term vectors over the words of some repositories. It reads them,
 * lets the teacher embed words, questions and passages, fits the vectors to both it and the pairs,
 * and writes a model file. The same repositories, settings and answers of the teacher result in the
 * same bytes.
 *
 * @throws DistilError if repositories or settings are unsuitable; errors of the teacher.
 */
export async function distil(
  repositories: readonly Repository[],
  settings: DistilSettings,
  dependencies: DistilDependencies,
): Promise<Distilled> {
  const { teacher, tell, now } = dependencies;
  checkHeader(headerStart(settings, teacher, 'To be distilled.'));
  checkTeacher(settings, teacher);
  const minutes: Record<Phase, number> = { reading: 0, teaching: 0, fitting: 0, writing: 0 };
  const during = async <Result>(
    phase: Phase,
    work: () => Result | Promise<Result>,
  ): Promise<Result> => {
    const since = now();
    try {
      return await work();
    } finally {
      minutes[phase] += (now() - since) / 60_000;
    }
  };

  const { collection, vocabulary, pieces, pairs } = await during('reading', () =>
    readAll(repositories, settings, dependencies),
  );
  const { rows, taught } = await during('teaching', () =>
    learn(vocabulary, pairs, settings, dependencies),
  );
  const heldOut = await during('fitting', (): HeldOut => {
    const measure = () => meanReciprocalRank(pairs.heldOut, rows, settings.dimensions);
    const before = measure();
    const since = now();
    fitRows(
      rows,
      settings.dimensions,
      pairs.training,
      taught,
      settings.fit,
      ({ step, steps, loss, distance }) =>
        tell(
          `step ${step} of ${steps}: loss ${loss.toFixed(3)}, distance to the teacher ${distance.toFixed(3)}, ` +
            `held-out MRR ${measure().toFixed(3)}, ${Math.round((now() - since) / 1_000)} s`,
        ),
    );
    return { pairs: pairs.heldOut.length, before, after: measure() };
  });
  return during('writing', () => {
    const header = headerOf({
      repositories,
      settings,
      teacher,
      collection,
      vocabulary,
      pieces,
      pairs,
      heldOut,
    });
    const bytes = encodeModelFile(header, vectorsOf(vocabulary, pieces, rows, settings.dimensions));
    if (bytes.length > settings.maxBytes) {
      throw new DistilError(
        `The file has ${bytes.length} bytes, more than --max-bytes ${settings.maxBytes}; increase it`,
      );
    }
    const counts = { words: vocabulary.terms.length, pieces: pieces.keys.length };
    return { bytes, header, ...counts, heldOut, asked: teacher.asked, minutes };
  });
}

interface Read {
  readonly collection: TextCollection;
  readonly vocabulary: Vocabulary;
  readonly pieces: Pieces;
  readonly pairs: TrainingPairs;
}

function readAll(
  repositories: readonly Repository[],
  settings: DistilSettings,
  { chunker, tell }: DistilDependencies,
): Read {
  const collection = new TextCollection();
  for (const repository of repositories) {
    collection.beginRepository();
    const { commits } = settings;
    const { documents, chunks, pairs, failed, hasHistory } = readRepository(repository, {
      chunker,
      commits,
      sink: collection,
    });
    const found = PAIR_KINDS.map((kind) => `${kind} ${pairs[kind]}`).join(', ');
    tell(
      `${repository.name}: ${documents} documents, ${chunks} chunks; pairs: ${found}` +
        (hasHistory ? '' : '; its history is incomplete, so pairs of commits end there') +
        (failed === 0 ? '' : `; ${failed} documents could not be chunked`),
    );
  }
  const vocabulary = chooseWords(collection, repositories.length, settings.words);
  const pieces = choosePieces(vocabulary.terms, settings.pieces);
  checkSize(settings, {
    words: vocabulary.terms.length,
    keys: [...vocabulary.terms, ...pieces.keys],
  });
  const pairs = trainingPairs(collection, vocabulary.terms);
  if (pairs.training.length === 0) {
    throw new DistilError(
      'The repositories have no comments, sections or commits to learn from; add repositories',
    );
  }
  tell(
    `${collection.texts} texts, ${vocabulary.terms.length} words, ${pieces.keys.length} pieces; ` +
      `${pairs.training.length} pairs to fit by, ${pairs.heldOut.length} kept back`,
  );
  return { collection, vocabulary, pieces, pairs };
}

/**
 * The teacher's vectors of words initialize the rows; its vectors of texts are targets of the fit.
 */
async function learn(
  vocabulary: Vocabulary,
  { training }: TrainingPairs,
  settings: DistilSettings,
  { teacher, tell, now }: DistilDependencies,
): Promise<{ readonly rows: Float32Array; readonly taught: TaughtTexts }> {
  const since = now();
  const collect = async (
    what: string,
    count: number,
    ask: (taught: Taught, progress: TeachingProgress) => Promise<void>,
  ): Promise<Float32Array> => {
    const vectors = new Float32Array(count * teacher.dimensions);
    await ask(
      (index, vector) => vectors.set(vector, index * teacher.dimensions),
      (done, all) =>
        tell(
          `the teacher embedded ${done} of ${all} ${what}, ${Math.round((now() - since) / 1_000)} s`,
        ),
    );
    return vectors;
  };
  const { spellings, rarities } = vocabulary;
  const words = await collect('words', spellings.length, (taught, progress) =>
    teacher.embedQuestions(spellings, taught, progress),
  );
  const space = WordSpace.of(words, teacher.dimensions, settings.dimensions);
  const rows = startingRows(space.narrow(words), rarities, settings.dimensions);
  if (settings.fit.teacherWeight === 0)
    return { rows, taught: { texts: [], vectors: new Float32Array() } };

  const asking = new Seeded(QUESTIONS_SEED).sample(training, settings.questions);
  const questions = await collect('questions', asking.length, (taught, progress) =>
    teacher.embedQuestions(
      asking.map(({ of }) => of.question),
      taught,
      progress,
    ),
  );
  const telling = new Seeded(PASSAGES_SEED).sample(training, settings.passages);
  const passages = await collect('passages', telling.length, (taught, progress) =>
    teacher.embedPassages(
      telling.map(({ of }): EmbeddingInput => of.passage),
      taught,
      progress,
    ),
  );
  const vectors = new Float32Array((asking.length + telling.length) * settings.dimensions);
  vectors.set(space.narrow(questions));
  vectors.set(space.narrow(passages), asking.length * settings.dimensions);
  return {
    rows,
    taught: {
      texts: [...asking.map(({ question }) => question), ...telling.map(({ passage }) => passage)],
      vectors,
    },
  };
}

function* vectorsOf(
  { terms }: Vocabulary,
  pieces: Pieces,
  rows: Float32Array,
  width: number,
): Generator<readonly [string, Float32Array]> {
  const ofPieces = fitPieces(pieces, rows, width);
  for (const [keys, vectors] of [
    [terms, rows],
    [pieces.keys, ofPieces],
  ] as const) {
    for (const [at, key] of keys.entries()) {
      const vector = vectors.subarray(at * width, (at + 1) * width);
      // A word in the exact center of the teacher has no meaning, and no file has a zero row.
      if (vector.some((value) => value !== 0)) yield [key, vector];
    }
  }
}

function headerOf(of: {
  readonly repositories: readonly Repository[];
  readonly settings: DistilSettings;
  readonly teacher: Teacher;
  readonly collection: TextCollection;
  readonly vocabulary: Vocabulary;
  readonly pieces: Pieces;
  readonly pairs: TrainingPairs;
  readonly heldOut: HeldOut;
}): ModelFileHeader {
  const { repositories, settings, teacher, collection, vocabulary, pieces, pairs, heldOut } = of;
  const kinds = countBy(pairs.training);
  const origin =
    `Distilled from ${teacher.model} over the words of ${repositories.length} repositories and fitted to ` +
    `${pairs.training.length} pairs of a text and what it is about, by Footnote's \`npm run distil\`.`;
  return {
    ...headerStart(settings, teacher, origin),
    repositories: repositories.map(({ name: called, revision }) => ({ name: called, revision })),
    counts: {
      texts: collection.texts,
      words: vocabulary.terms.length,
      pieces: pieces.keys.length,
      pairs: kinds,
    },
    heldOut: {
      pairs: heldOut.pairs,
      mrrBefore: rounded(heldOut.before),
      mrrAfter: rounded(heldOut.after),
    },
    fit: settings.fit,
  };
}

function headerStart(settings: DistilSettings, teacher: Teacher, origin: string): ModelFileHeader {
  const { name, licence, dimensions, hashedDimensions, share } = settings;
  return {
    id: name,
    origin,
    licence,
    teacher: teacher.model,
    dimensions,
    hashedDimensions,
    share,
    analyzer: ANALYZER_ID,
    pieceSizes: PIECE_SIZES,
  };
}

function countBy(pairs: readonly TrainingPair[]): Record<KeptPair['kind'], number> {
  const counts = { comment: 0, heading: 0, sentence: 0, commit: 0 };
  for (const { of } of pairs) counts[of.kind] += 1;
  return counts;
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
