import { writeFileSync } from 'node:fs';

import { localModel, type LocalModelAddress } from '#models';

import type { RankedPlace } from '../metric.js';
import { find, withIndex, withPassages } from '../open-set.js';
import { type QuestionScore, scoreAnswer } from '../question-metric.js';
import { indexRepository } from '../rover/indexed-repository.js';
import { LineWindows } from './line-windows.js';
import { type PlacedQuestion, placeSet } from './prepare-set.js';
import type { SweQaSet } from './swe-qa-set.js';
import { figuresTable, pairedTable, shareFigure } from './swe-qa-table.js';

export interface SweQaMeasured {
  readonly sets: readonly SweQaSet[];
  /** Folder of git repositories as `<owner>/<name>`, with the pinned commits. */
  readonly repos: string;
  /** Folder that keeps packs between runs. */
  readonly packs: string;
  readonly model: LocalModelAddress;
  /** File that every question is also written to. */
  readonly json?: string | undefined;
}

/** A question, and how Footnote and SQLite rank the files of its answer. */
interface SearchOutcome {
  readonly repository: string;
  readonly id: string;
  readonly question: string;
  readonly files: readonly string[];
  readonly footnote: QuestionScore;
  readonly windows: QuestionScore;
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
export async function measureSweQa(asked: SweQaMeasured): Promise<void> {
  const outcomes: SearchOutcome[] = [];
  const model = localModel(asked.model);
  for (const set of asked.sets) {
    const placed = placeSet(set, asked.repos);
    const windows = LineWindows.of(placed.documents());
    await withIndex(async (chunker, index) => {
      const pinned = { repo: set.repo, commit: placed.revision };
      const { live } = await indexRepository(pinned, { ...asked, chunker, index, model });
      for (const { id, question, files } of placed.placed) {
        const ranked = await withPassages(
          index,
          live,
          model,
          await find(index, live, model, question),
        );
        const places = ranked.map(({ candidate }): RankedPlace => candidate);
        outcomes.push({
          repository: set.name,
          id,
          question,
          files,
          footnote: score(places, files),
          windows: score(windows.search(question), files),
          top: places.slice(0, 10).map(({ path, startLine }) => `${path}:${startLine ?? ''}`),
        });
      }
      console.log(
        `${set.name.padEnd(14)} ${placed.revision} ${String(live.chunks).padStart(6)} chunks, ${placed.placed.length} of ${set.questions.length} answers name files`,
      );
    });
    windows.close();
  }
  report(outcomes);
  if (asked.json !== undefined) writeFileSync(asked.json, `${JSON.stringify(outcomes, null, 1)}\n`);
}

function score(places: readonly RankedPlace[], files: PlacedQuestion['files']): QuestionScore {
  return scoreAnswer(places, { primary: files.map((path) => ({ path })), acceptable: [] });
}

function report(outcomes: readonly SearchOutcome[]): void {
  const rows = (of: (outcome: SearchOutcome) => QuestionScore) =>
    outcomes.map((outcome) => ({ repository: outcome.repository, score: of(outcome) }));
  const footnote = rows(({ footnote: own }) => own);
  const windows = rows(({ windows: own }) => own);
  console.log(`\nFootnote\n\n${figuresTable(FIGURES, footnote)}`);
  console.log(`\nSQLite FTS5, windows of 60 lines\n\n${figuresTable(FIGURES, windows)}`);
  console.log(`\nFootnote against FTS5\n\n${pairedTable(FIGURES, windows, footnote)}`);
}
