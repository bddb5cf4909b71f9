import { writeFileSync } from 'node:fs';

import type { LocalModel, RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import {
  BEST_LINES,
  rankBy,
  VARIANTS,
  WHOLE,
  WITHOUT_PASSAGES,
  WITHOUT_SECOND,
  WITHOUT_SENTENCES,
} from './ablation.js';
import type { BenchSentences } from './bench-sentences.js';
import { placesByBestLines } from './best-lines-of.js';
import { compareFigures, comparisonTable, FIGURES } from './figures.js';
import { indexSet } from './index-set.js';
import { auc, halfInterval, mean, quantile } from './metric.js';
import { find, withIndex } from './open-set.js';
import { type QuestionScore, scoreAnswer } from './question-metric.js';
import { pairOutcomes, type QuestionOutcome, readRun } from './question-run.js';
import { type Question, QUESTION_KINDS, type QuestionSet } from './question-set.js';
import { type RefusalFeatures, refusalFeatures } from './refusal/refusal-features.js';
import type { RefusalCase } from './refusal/refusal-run.js';
import { type Searched, shownResults } from './shown-results.js';

/** The default of `min_evidence_score`. */
const REFUSAL_SCORE = 0.3;

/** Options of a measurement of questions. */
export interface QuestionMeasurement {
  /** File that every question with its scores is also written to. */
  readonly json?: string | undefined;
  /** File that an earlier run wrote; each figure is printed next to it. */
  readonly baseline?: string | undefined;
  /** The sentence encoder. Default: none; with one, the figures without it are printed too. */
  readonly sentences?: BenchSentences | undefined;
}

/**
 * Indexes each repository, code and prose, asks its questions, and prints how well they are
 * answered. The questions of the next repository stand for those that cannot be answered.
 */
export async function measureQuestions(
  sets: readonly QuestionSet[],
  model: LocalModel,
  { json, baseline, sentences }: QuestionMeasurement,
): Promise<void> {
  const before = baseline === undefined ? undefined : readRun(baseline);
  const outcomes: QuestionOutcome[] = [];
  const cases: RefusalCase[] = [];
  await withIndex(async (chunker, index) => {
    for (const [at, set] of sets.entries()) {
      const live = await indexSet({ ...set, name: set.repository }, chunker, index, model);
      await sentences?.refine(index, live, set.repository);
      const asked = { index, live, model, sentences, repository: set.repository };
      for (const question of set.questions) {
        const { outcome, features } = await ask(asked, question);
        outcomes.push(outcome);
        cases.push({ repository: set.repository, id: question.id, isOwn: true, ...features });
      }
      const others = sets.length > 1 ? (sets[(at + 1) % sets.length]?.questions ?? []) : [];
      for (const { id, question } of others) {
        const features = refusalFeatures(await find(index, live, model, question));
        cases.push({ repository: set.repository, id, isOwn: false, ...features });
      }
      const own = outcomes.filter(({ repository }) => repository === set.repository);
      console.log(
        `${set.repository.padEnd(20)} ${set.revision.slice(0, 12)} ${String(live.chunks).padStart(6)} chunks  ${line(own)}`,
      );
    }
  }, sentences?.encoder);
  const foreign = cases.filter(({ isOwn }) => !isOwn).map(({ topScore }) => topScore);
  report(outcomes, foreign);
  if (sentences) {
    const without = outcomes.map((outcome) => withoutSentences(outcome));
    console.log(
      `\nthe sentence encoder ${sentences.encoder.id}, without and with it\n` +
        comparisonTable(compareFigures(pairOutcomes(without, outcomes))),
    );
  }
  if (before && baseline !== undefined)
    console.log(
      `\nbefore: ${baseline}\n${comparisonTable(compareFigures(pairOutcomes(before.outcomes, outcomes)))}`,
    );
  if (json !== undefined)
    writeFileSync(json, `${JSON.stringify({ outcomes, foreign, cases }, null, 1)}\n`);
}

interface AskedRepository extends Searched {
  readonly repository: string;
}

async function ask(
  asked: AskedRepository,
  question: Question,
): Promise<{ readonly outcome: QuestionOutcome; readonly features: RefusalFeatures }> {
  const { index, live, model, sentences, repository } = asked;
  const found = await find(index, live, model, question.question);
  const { ranked, plain, unraised } = await shownResults(asked, found);
  const scoreOf = (list: readonly RankedChunk<Candidate>[]): QuestionScore =>
    scoreAnswer(
      list.map(({ candidate }) => candidate),
      question,
    );
  const outcome = {
    repository,
    id: question.id,
    kind: question.kind,
    question: question.question,
    ...scoreOf(ranked),
    topScore: ranked[0]?.score ?? 0,
    top: ranked.slice(0, 5).map(({ candidate: { path, startLine, endLine }, score: reported }) => {
      return `${path}:${startLine ?? ''}-${endLine ?? ''} ${reported.toFixed(3)}`;
    }),
    variants: {
      [BEST_LINES.name]: scoreAnswer(
        await placesByBestLines(index, live, question.question, ranked),
        question,
      ),
      ...(sentences && { [WITHOUT_SENTENCES.name]: scoreOf(plain) }),
      [WITHOUT_SECOND.name]: scoreOf(unraised),
      ...Object.fromEntries(
        [WITHOUT_PASSAGES, ...VARIANTS].map((variant) => [
          variant.name,
          scoreOf(rankBy(found, variant)),
        ]),
      ),
    },
  };
  return { outcome, features: refusalFeatures(found) };
}

function withoutSentences(outcome: QuestionOutcome): QuestionOutcome {
  return { ...outcome, ...outcome.variants[WITHOUT_SENTENCES.name] };
}

function line(scores: readonly QuestionScore[]): string {
  return FIGURES.map(({ name, of }) => `${name} ${mean(scores.map(of)).toFixed(3)}`).join('  ');
}

function report(outcomes: readonly QuestionOutcome[], foreign: readonly number[]): void {
  console.log(`\nall ${outcomes.length} questions, 95 % intervals`);
  for (const { name, of } of FIGURES) {
    const values = outcomes.map(of);
    console.log(
      `  ${name.padEnd(10)} ${mean(values).toFixed(3)} ± ${halfInterval(values).toFixed(3)}`,
    );
  }
  for (const kind of QUESTION_KINDS) {
    console.log(`${kind.padEnd(10)} ${line(outcomes.filter((outcome) => outcome.kind === kind))}`);
  }
  if (foreign.length > 0) {
    const own = outcomes.map(({ topScore: score }) => score);
    const refused = (scores: readonly number[]): string =>
      `${(100 * mean(scores.map((score) => Number(score < REFUSAL_SCORE)))).toFixed(1)} %`;
    const spread = (scores: readonly number[]): string =>
      [0.1, 0.25, 0.5, 0.75, 0.9].map((share) => quantile(scores, share).toFixed(2)).join('/');
    console.log(`answerable against foreign questions: AUC ${auc(own, foreign).toFixed(3)}`);
    console.log(`top score p10/25/50/75/90: answerable ${spread(own)}, foreign ${spread(foreign)}`);
    console.log(`under ${REFUSAL_SCORE}: answerable ${refused(own)}, foreign ${refused(foreign)}`);
  }
  console.log(
    `\n| variant | ${FIGURES.map(({ name }) => name).join(' | ')} |\n|---|${'---|'.repeat(FIGURES.length)}`,
  );
  for (const { name } of [WHOLE, BEST_LINES, WITHOUT_SECOND, WITHOUT_PASSAGES, ...VARIANTS]) {
    const scores = outcomes.map((outcome) => outcome.variants[name] ?? outcome);
    console.log(
      `| ${name} | ${FIGURES.map(({ of }) => mean(scores.map(of)).toFixed(3)).join(' | ')} |`,
    );
  }
}
