import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Half } from '../question-set.js';

/** A question of the public set with the answer that its authors give. */
export interface SweQaQuestion {
  /** `<repository>-<line>`, the line from 1. */
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

/** The questions of SWE-QA-Bench about one repository. */
export interface SweQaSet {
  /** Name of its question file. */
  readonly name: string;
  /** `owner/name`. */
  readonly repo: string;
  /** Abbreviated commit, as the set pins it. */
  readonly commit: string;
  readonly half: Half;
  readonly questions: readonly SweQaQuestion[];
}

/** Repositories that rules may be chosen on. The others are kept back. */
const CHOOSING: ReadonlySet<string> = new Set([
  'astropy',
  'django',
  'matplotlib',
  'scikit-learn',
  'sphinx',
  'sympy',
]);
const PINNED = /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+)\s+([0-9a-f]{7,40})$/;

/**
 * Reads SWE-QA-Bench from a clone of it: `repo_commit.txt` and `Benchmark/<name>.jsonl`.
 *
 * @throws Error if a line has another form
 */
export function sweQaSets(folder: string): SweQaSet[] {
  const file = join(folder, 'repo_commit.txt');
  return linesOf(file).map(({ text, at }) => {
    const [, owner, name, commit] = PINNED.exec(text) ?? [];
    if (owner === undefined || name === undefined || commit === undefined)
      throw new Error(`${file}:${at} must be a GitHub address and a commit (got "${text}")`);
    return {
      name,
      repo: `${owner}/${name}`,
      commit,
      half: CHOOSING.has(name) ? 'choosing' : 'checking',
      questions: questionsOf(folder, name),
    };
  });
}

function questionsOf(folder: string, name: string): SweQaQuestion[] {
  const file = join(folder, 'Benchmark', `${name}.jsonl`);
  return linesOf(file).map(({ text, at }) => {
    const { question, answer } = JSON.parse(text) as Partial<SweQaQuestion>;
    if (typeof question !== 'string' || typeof answer !== 'string')
      throw new Error(`${file}:${at} must have a question and an answer`);
    return { id: `${name}-${at}`, question, answer };
  });
}

/** Returns the lines that are not empty, with their numbers from 1. */
function linesOf(file: string): { readonly text: string; readonly at: number }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line, at) => ({ text: line.trim(), at: at + 1 }))
    .filter(({ text }) => text !== '');
}
