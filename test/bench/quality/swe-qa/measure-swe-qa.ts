import { writeFileSync } from 'node:fs';

import type { RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import type { BenchSentences } from '../bench-sentences.js';
import type { RankedPlace } from '../metric.js';
import { find } from '../open-set.js';
import { type QuestionScore, scoreAnswer } from '../question-metric.js';
import { shownResults } from '../shown-results.js';
import { forEachSet, type SweQaAsked } from './indexed-sets.js';
import { LineWindows } from './line-windows.js';
import type { PlacedQuestion } from './prepare-set.js';
import { figuresTable, pairedTable, shareFigure } from './swe-qa-table.js';

/** A question, and how Footnote and SQLite rank the files of its answer. */
interface SearchOutcome {
  readonly repository: string;
  readonly id: string;
  readonly question: string;
  readonly files: readonly string[];
  readonly footnote: QuestionScore;
  readonly windows: QuestionScore;
  /** Without the sentence encoder; the same as `footnote` if there is none. */
  readonly plain: QuestionScore;
  /** `path:first` of the first ten results. */
  readonly top: readonly string[];
}

const FIGURES = [
  shareFigure('hit@1', ({ hitRank }: QuestionScore) => Number(hitRank <= 1)),
  shareFigure('hit@3', ({ hitRank }: QuestionScore) => Number(hitRank <= 3)),
  shareFigure('hit@10', ({ hitRank }: QuestionScore) => Number(hitRank <= 10)),
  shareFigure('files in ten', ({ recall }: QuestionScore) => recall),
];

/**
 * Asks the questions of SWE-QA-Bench by search. Prints how often the files that the reference
 * answers name are found, compared with FTS5 of SQLite over windows of the same documents.
 */
export async function measureSweQa(asked: SweQaAsked): Promise<void> {
  const outcomes: SearchOutcome[] = [];
  await forEachSet(asked, async ({ placed, repository: { live }, index, model }) => {
    const windows = LineWindows.of(placed.documents());
    for (const { id, question, files } of placed.placed) {
      const found = await find(index, live, model, question);
      const searched = { index, live, model, sentences: asked.sentences };
      const { ranked, plain } = await shownResults(searched, found);
      const places = placesOf(ranked);
      outcomes.push({
        repository: placed.name,
        id,
        question,
        files,
        footnote: score(places, files),
        windows: score(windows.search(question), files),
        plain: score(placesOf(plain), files),
        top: places.slice(0, 10).map(({ path, startLine }) => `${path}:${startLine ?? ''}`),
      });
    }
    windows.close();
  });
  report(outcomes, asked.sentences);
  if (asked.json !== undefined) writeFileSync(asked.json, `${JSON.stringify(outcomes, null, 1)}\n`);
}

function score(places: readonly RankedPlace[], files: PlacedQuestion['files']): QuestionScore {
  return scoreAnswer(places, { primary: files.map((path) => ({ path })), acceptable: [] });
}

function placesOf(ranked: readonly RankedChunk<Candidate>[]): RankedPlace[] {
  return ranked.map(({ candidate }) => candidate);
}

function report(outcomes: readonly SearchOutcome[], sentences: BenchSentences | undefined): void {
  const rows = (of: (outcome: SearchOutcome) => QuestionScore) =>
    outcomes.map((outcome) => ({ repository: outcome.repository, score: of(outcome) }));
  const footnote = rows(({ footnote: own }) => own);
  const windows = rows(({ windows: own }) => own);
  console.log(`\nFootnote\n\n${figuresTable(FIGURES, footnote)}`);
  console.log(`\nSQLite FTS5, windows of 60 lines\n\n${figuresTable(FIGURES, windows)}`);
  console.log(`\nFootnote against FTS5\n\n${pairedTable(FIGURES, windows, footnote)}`);
  if (!sentences) return;
  const plain = rows(({ plain: own }) => own);
  console.log(`\nWithout the sentence encoder\n\n${figuresTable(FIGURES, plain)}`);
  console.log(
    `\nWith ${sentences.encoder.id} against without\n\n${pairedTable(FIGURES, plain, footnote)}`,
  );
}
