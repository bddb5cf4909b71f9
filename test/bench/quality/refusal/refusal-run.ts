import { readFileSync } from 'node:fs';

import type { RefusalFeatures } from './refusal-features.js';

/** A question asked to a repository: its own, or one about another repository. */
export interface RefusalCase extends RefusalFeatures {
  readonly repository: string;
  readonly id: string;
  readonly isOwn: boolean;
}

/**
 * Reads the cases of a run that `questions --json` wrote.
 * @throws Error for a file of an earlier version, which has none
 */
export function readCases(file: string): readonly RefusalCase[] {
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly cases?: readonly RefusalCase[];
  };
  if (!cases) throw new Error(`${file} must be a run of questions with cases; measure it again`);
  return cases;
}
