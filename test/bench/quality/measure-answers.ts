import { writeFileSync } from 'node:fs';

import { localModel, type LocalModelAddress } from '#models';

import { type AnswerScore, citedPlaces, scoreCitations } from './answer-metric.js';
import { checkSupport, type Support } from './answer-support.js';
import { type EvidenceAsked, openChat } from './ask-questions.js';
import { indexSet } from './index-set.js';
import { halfInterval, mean, quantile } from './metric.js';
import { withIndex } from './open-set.js';
import { QUESTION_KINDS, type QuestionKind, type QuestionSet } from './question-set.js';

/** A question with its answer and what that is worth. */
interface AnswerOutcome extends AnswerScore {
  readonly repository: string;
  readonly id: string;
  readonly kind: QuestionKind;
  readonly question: string;
  /** `path:first-last` of the cited passages. */
  readonly cited: readonly string[];
  readonly support: Support;
  readonly text: string;
}

interface Share {
  readonly name: string;
  readonly of: (score: AnswerScore) => boolean;
}

const SHARES: readonly Share[] = [
  { name: 'right', of: ({ right }) => right },
  { name: 'right or acceptable', of: ({ passable }) => passable },
  { name: 'right file', of: ({ rightFile }) => rightFile },
  { name: 'first in a right file', of: ({ firstFile }) => firstFile },
  { name: 'first right', of: ({ firstRight }) => firstRight },
  { name: 'first right or acceptable', of: ({ firstPassable }) => firstPassable },
  { name: 'right by the lines named', of: ({ namedRight }) => namedRight },
];

export interface AnswersMeasured extends EvidenceAsked {
  readonly model: LocalModelAddress;
  /** File that every question with its answer is also written to. */
  readonly json?: string | undefined;
  /**
   * The number of questions of each repository that are also printed one by one, as a table.
   * Default: none.
   */
  readonly listed?: number | undefined;
}

/**
 * Indexes each repository, asks its questions without a language model, and prints how well the
 * answers cite.
 */
export async function measureAnswers(
  sets: readonly QuestionSet[],
  asked: AnswersMeasured,
): Promise<void> {
  const { model, json, listed = 0, ...evidence } = asked;
  const outcomes: AnswerOutcome[] = [];
  await withIndex(async (chunker, index) => {
    const answer = openChat(index, model, evidence);
    for (const set of sets) {
      const live = await indexSet(
        { ...set, name: set.repository },
        chunker,
        index,
        localModel(model),
      );
      for (const question of set.questions) {
        const given = await answer(question.question, live);
        const { id, kind, question: text } = question;
        outcomes.push({
          repository: set.repository,
          id,
          kind,
          question: text,
          text: given.text,
          ...scoreCitations(given, question),
          cited: citedPlaces(given).map(
            ({ path, startLine, endLine }) => `${path}:${startLine ?? ''}-${endLine ?? ''}`,
          ),
          support: checkSupport(given.text, given.evidence),
        });
      }
      const own = outcomes.filter(({ repository }) => repository === set.repository);
      console.log(`${set.repository.padEnd(20)} ${line(own)}`);
    }
  });
  report(outcomes);
  const listing = sets.flatMap(({ repository }) =>
    outcomes.filter((outcome) => outcome.repository === repository).slice(0, listed),
  );
  if (listing.length > 0) list(listing);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(outcomes, null, 1)}\n`);
}

function line(scores: readonly AnswerScore[]): string {
  return SHARES.map(
    ({ name, of }) => `${name} ${mean(scores.map((score) => Number(of(score)))).toFixed(3)}`,
  ).join('  ');
}

function report(outcomes: readonly AnswerOutcome[]): void {
  console.log(`\nall ${outcomes.length} questions, 95 % intervals`);
  for (const { name, of } of SHARES) {
    const values = outcomes.map((outcome) => Number(of(outcome)));
    console.log(
      `  ${name.padEnd(26)} ${mean(values).toFixed(3)} ± ${halfInterval(values).toFixed(3)}`,
    );
  }
  for (const kind of QUESTION_KINDS) {
    console.log(`${kind.padEnd(10)} ${line(outcomes.filter((outcome) => outcome.kind === kind))}`);
  }
  const spread = (values: readonly number[]): string =>
    `median ${quantile(values, 0.5)}, p90 ${quantile(values, 0.9)}`;
  console.log(`words: ${spread(outcomes.map(({ words }) => words))}`);
  console.log(`citations: ${spread(outcomes.map(({ citations }) => citations))}`);
  console.log(`without an answer: ${outcomes.filter(({ citations }) => citations === 0).length}`);
  const sentences = outcomes.reduce((sum, { support }) => sum + support.sentences, 0);
  const unsupported = outcomes.flatMap(({ id, support }) =>
    support.unsupported.map((text) => `${id}: ${text}`),
  );
  console.log(`unsupported sentences and lines: ${unsupported.length} of ${sentences}`);
  for (const each of unsupported.slice(0, 20)) console.log(`  ${each}`);
}

function list(outcomes: readonly AnswerOutcome[]): void {
  console.log(`\nlisted: ${outcomes.length}`);
  for (const { name, of } of SHARES) {
    const values = outcomes.map((outcome) => Number(of(outcome)));
    console.log(
      `  ${name.padEnd(26)} ${mean(values).toFixed(3)} ± ${halfInterval(values).toFixed(3)}`,
    );
  }
  console.log('\n| | question | answer | cited first |\n|---|---|---|---|');
  for (const { id, question, right, passable, cited } of outcomes) {
    const outcome = right ? 'right' : passable ? 'acceptable' : 'wrong';
    console.log(
      `| ${id} | ${question.replaceAll('|', '\\|')} | ${outcome} | ${cited[0] ? `\`${cited[0]}\`` : 'nothing'} |`,
    );
  }
}
