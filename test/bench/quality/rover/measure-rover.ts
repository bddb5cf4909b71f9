import { writeFileSync } from 'node:fs';

import type { RoverResult } from '#contracts';
import { localModel, type LocalModelAddress } from '#models';

import { citedPlaces } from '../answer-metric.js';
import { type GivenAnswer, openChat } from '../ask-questions.js';
import { mean, quantile } from '../metric.js';
import { withIndex } from '../open-set.js';
import { CitationBytes } from './citation-bytes.js';
import type { CrossPair } from './cross-repository-set.js';
import { type IndexedRepository, indexRepository } from './indexed-repository.js';
import { openRover } from './open-rover.js';
import { type CitedSide, scoreSides, type SideScore } from './rover-metric.js';

export interface RoverMeasured {
  readonly pairs: readonly CrossPair[];
  /** Folder of git repositories as `<owner>/<name>`. */
  readonly repos: string;
  /** Folder that keeps packs between runs. */
  readonly packs: string;
  readonly model: LocalModelAddress;
  /** File that every question is also written to. */
  readonly json?: string | undefined;
}

/** A question with the sides that rover and chat cite. */
interface CrossOutcome {
  readonly id: string;
  readonly question: string;
  readonly rover: SideScore;
  readonly chat: SideScore;
  /** `owner/name path:line` of the citations. */
  readonly cited: readonly string[];
  readonly chatCited: readonly string[];
  readonly confidence: RoverResult['confidence'];
  readonly milliseconds: number;
}

/** A question without an answer, with what the job reports. */
interface AbsentOutcome {
  readonly id: string;
  readonly question: string;
  readonly notFound: readonly string[];
  readonly confidence: RoverResult['confidence'];
}

/**
 * Asks rover and chat the questions of pairs of repositories, without a language model. Prints
 * which sides they cite, and the outcome of questions without an answer.
 */
export async function measureRover(asked: RoverMeasured): Promise<void> {
  const outcomes: CrossOutcome[] = [];
  const absent: AbsentOutcome[] = [];
  const bytes = new CitationBytes(asked.repos);
  for (const pair of asked.pairs) {
    const own: CrossOutcome[] = [];
    await withIndex(async (chunker, index) => {
      const model = localModel(asked.model);
      const repositories = [];
      for (const pinned of pair.repositories)
        repositories.push(await indexRepository(pinned, { ...asked, chunker, index, model }));
      const rover = openRover(index, asked.model);
      const chat = openChat(index, asked.model);
      const lives = repositories.map(({ live }) => live);
      for (const question of pair.questions) {
        const started = performance.now();
        const result = await rover(question.question, repositories);
        const milliseconds = performance.now() - started;
        bytes.compare(result);
        const sides = sidesOf(result);
        const chatSides = sidesOfChat(await chat(question.question, ...lives), repositories);
        own.push({
          id: question.id,
          question: question.question,
          rover: scoreSides(question, sides),
          chat: scoreSides(question, chatSides),
          cited: sides.map(shown),
          chatCited: chatSides.map(shown),
          confidence: result.confidence,
          milliseconds,
        });
      }
      for (const { id, question } of pair.absent) {
        const result = await rover(question, repositories);
        bytes.compare(result);
        const { not_found: notFound, confidence } = result;
        absent.push({ id, question, notFound, confidence });
      }
    });
    outcomes.push(...own);
    console.log(`${pair.name.padEnd(10)} ${line(own)}`);
  }
  report(outcomes, absent);
  console.log(
    `citations that equal their commit: ${bytes.compared - bytes.different.length} of ${bytes.compared}`,
  );
  for (const each of bytes.different.slice(0, 20)) console.log(`  different: ${each}`);
  if (asked.json !== undefined)
    writeFileSync(asked.json, `${JSON.stringify({ outcomes, absent }, null, 1)}\n`);
}

function line(outcomes: readonly CrossOutcome[]): string {
  const share = (name: string, of: (outcome: CrossOutcome) => boolean): string =>
    `${name} ${mean(outcomes.map((outcome) => Number(of(outcome)))).toFixed(3)}`;
  return [
    share('both sides', ({ rover }) => rover.both),
    share('one side', ({ rover }) => rover.one),
    share('both files', ({ rover }) => rover.bothFiles),
    share('| chat: both sides', ({ chat }) => chat.both),
    share('one side', ({ chat }) => chat.one),
    share('both files', ({ chat }) => chat.bothFiles),
  ].join('  ');
}

function report(outcomes: readonly CrossOutcome[], absent: readonly AbsentOutcome[]): void {
  console.log(`\nall ${outcomes.length} questions\n  ${line(outcomes)}`);
  const times = outcomes.map(({ milliseconds }) => milliseconds);
  console.log(
    `  milliseconds of a held job: median ${quantile(times, 0.5).toFixed(0)}, ` +
      `p95 ${quantile(times, 0.95).toFixed(0)}`,
  );
  for (const { id, rover, chat, question } of outcomes) {
    const sides = ({ both, one }: SideScore): string => (both ? 'both' : one ? 'one' : 'none');
    console.log(`| ${id} | ${question} | ${sides(rover)} | ${sides(chat)} |`);
  }
  const isRight = ({ notFound, confidence }: AbsentOutcome): boolean =>
    notFound.length > 0 && ['insufficient', 'low'].includes(confidence);
  console.log(`\nabsent: ${absent.filter(isRight).length} of ${absent.length}`);
  for (const outcome of absent) {
    const { id, question, confidence } = outcome;
    console.log(`| ${id} | ${question} | ${isRight(outcome) ? 'yes' : 'no'} (${confidence}) |`);
  }
  const low = outcomes.filter(({ confidence }) => ['insufficient', 'low'].includes(confidence));
  console.log(`answerable questions with confidence at most low: ${low.length}`);
}

function sidesOf({ citations }: RoverResult): CitedSide[] {
  return citations.map(({ repo, path, start_line: startLine, end_line: endLine }) => ({
    repo,
    path,
    startLine,
    endLine,
  }));
}

/** The name of a source is its id here. */
function sidesOfChat(given: GivenAnswer, repositories: readonly IndexedRepository[]): CitedSide[] {
  const bySource = new Map(repositories.map(({ repo, live }) => [live.sourceId, repo]));
  return given.cited.flatMap((number) => {
    const repo = bySource.get(given.evidence[number - 1]?.sourceName ?? '') ?? '';
    return citedPlaces({ ...given, cited: [number] }).map((place) => ({ ...place, repo }));
  });
}

function shown({ repo, path, startLine }: CitedSide): string {
  return `${repo} ${path}:${startLine ?? ''}`;
}
