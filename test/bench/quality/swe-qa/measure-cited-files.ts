import { writeFileSync } from 'node:fs';

import { citedPlaces } from '../answer-metric.js';
import { openChat } from '../ask-questions.js';
import { CitationBytes } from '../rover/citation-bytes.js';
import { openRover } from '../rover/open-rover.js';
import { type CitedFilesScore, scoreCitedFiles } from './cited-files.js';
import { forEachSet, type IndexedSweQaSet, type SweQaAsked } from './indexed-sets.js';
import type { PlacedQuestion } from './prepare-set.js';
import { figuresTable, pairedTable, shareFigure } from './swe-qa-table.js';

/** The ways to get an answer with citations. */
export const ANSWERERS = ['chat', 'rover'] as const;
export type Answerer = (typeof ANSWERERS)[number];

export interface CitedFilesAsked extends SweQaAsked {
  /** Answerers of the questions; two are also compared. */
  readonly ask: readonly Answerer[];
}

/** The files that one answer cites. */
interface CitingAnswer {
  /** `path:first` of the citations, in their order. */
  readonly cited: readonly string[];
  readonly score: CitedFilesScore;
  /** Why the question has no answer. */
  readonly failure?: string;
}

/** A question with the answers of all that were asked. */
interface CitedOutcome extends PlacedQuestion {
  readonly repository: string;
  readonly answers: Readonly<Partial<Record<Answerer, CitingAnswer>>>;
}

/** A cited place, as far as scoring and listing need it. */
interface Cited {
  readonly path: string;
  readonly startLine: number | undefined;
}

type Ask = (question: string) => Promise<readonly Cited[]>;

const FIGURES = [
  shareFigure('files cited', ({ recall }: CitedFilesScore) => recall),
  shareFigure('one cited', ({ one }: CitedFilesScore) => Number(one)),
  shareFigure('all cited', ({ all }: CitedFilesScore) => Number(all)),
  shareFigure('by the first five', ({ firstFive }: CitedFilesScore) => firstFive),
  shareFigure('cited files of an answer', ({ cited }: CitedFilesScore) => cited),
];

/**
 * Asks the questions of SWE-QA-Bench by chat, by rover jobs or both, without a language model.
 * Prints how many of the files that the reference answers name are cited. A question that fails
 * counts as an answer without citations and is listed.
 */
export async function measureCitedFiles(asked: CitedFilesAsked): Promise<void> {
  const answerers = ANSWERERS.filter((name) => asked.ask.includes(name));
  const bytes = new CitationBytes(asked.repos);
  const outcomes: CitedOutcome[] = [];
  await forEachSet(asked, async (set) => {
    const { placed, name } = set.placed;
    const asks = answerers.map(
      (answerer) => [answerer, opened(answerer, set, asked, bytes)] as const,
    );
    for (const question of placed) {
      const answers: Partial<Record<Answerer, CitingAnswer>> = {};
      for (const [answerer, ask] of asks) answers[answerer] = await answered(ask, question);
      outcomes.push({ ...question, repository: name, answers });
    }
  });
  report(answerers, outcomes);
  if (answerers.includes('rover'))
    console.log(
      `\nrover citations that equal their commit: ${bytes.compared - bytes.different.length} of ${bytes.compared}`,
    );
  for (const each of bytes.different.slice(0, 20)) console.log(`  different: ${each}`);
  if (asked.json !== undefined) writeFileSync(asked.json, `${JSON.stringify(outcomes, null, 1)}\n`);
}

function opened(
  answerer: Answerer,
  { repository, index }: IndexedSweQaSet,
  { model }: CitedFilesAsked,
  bytes: CitationBytes,
): Ask {
  if (answerer === 'chat') {
    const chat = openChat(index, model);
    return async (question) => citedPlaces(await chat(question, repository.live));
  }
  const rover = openRover(index, model);
  return async (question) => {
    const result = await rover(question, [repository]);
    bytes.compare(result);
    return result.citations.map(({ path, start_line: startLine }) => ({ path, startLine }));
  };
}

async function answered(ask: Ask, { question, files }: PlacedQuestion): Promise<CitingAnswer> {
  try {
    const cited = await ask(question);
    const score = scoreCitedFiles(
      files,
      cited.map(({ path }) => path),
    );
    return { cited: cited.map(({ path, startLine }) => `${path}:${startLine ?? ''}`), score };
  } catch (error) {
    return { cited: [], score: scoreCitedFiles(files, []), failure: String(error) };
  }
}

function report(answerers: readonly Answerer[], outcomes: readonly CitedOutcome[]): void {
  const groups = [
    ['questions that name files', outcomes],
    ['questions that name two files or more', outcomes.filter(({ files }) => files.length > 1)],
  ] as const;
  for (const [title, own] of groups) {
    const scores = answerers.map((answerer) => scoresOf(answerer, own));
    for (const [at, answerer] of answerers.entries())
      console.log(`\n${answerer}, ${title}\n\n${figuresTable(FIGURES, scores[at] ?? [])}`);
    const [chat, rover] = scores;
    if (chat && rover)
      console.log(`\nrover against chat, ${title}\n\n${pairedTable(FIGURES, chat, rover)}`);
  }
  for (const { id, question, answers } of outcomes) {
    for (const answerer of answerers) {
      const failure = answers[answerer]?.failure;
      if (failure !== undefined) console.log(`failed: ${answerer} ${id} ${question}: ${failure}`);
    }
  }
}

function scoresOf(answerer: Answerer, outcomes: readonly CitedOutcome[]) {
  return outcomes.flatMap(({ repository, answers }) => {
    const score = answers[answerer]?.score;
    return score ? [{ repository, score }] : [];
  });
}
