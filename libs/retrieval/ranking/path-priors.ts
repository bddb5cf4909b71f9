import { remember } from '../bounded-cache.js';
import type { RankCandidate } from './rank.types.js';
import { definesAny, type Scored } from './scored.js';
import { WEIGHTS } from './weights.js';

const TEST_FOLDER = /(^|\/)(tests?|__tests__|spec|testing|bench(es)?|benchmarks?)\//i;
/**
 * Pattern for a file's name without its folders. No part can fail after a long run, so that time
 * stays linear in the name.
 */
const TEST_FILE =
  /^test_|_test\.|\.(?:test|spec)\.|Tests?\.(?:java|kt|cs|swift|scala)$|(?:Spec|Suite)\.(?:scala|kt)$/;
const SIDE_FOLDER = /(^|\/)(examples?|docs?|docs_src|compat|legacy|deprecated)\//i;
const DECLARATION_FILE = /\.d\.[cm]?ts$/;
const PACKAGE_FILE = /(^|\/)(__init__\.py|package-info\.java)$/;

const RELEASE_NOTES = /(^|\/)(changelog|changes|history|news|release[-_ ]?notes)(\.[^/]*)?$/i;

const MAX_CACHED_PATHS = 20_000;

/**
 * Returns the prior of a code file of a repository, by its path alone: 1 for a plain source file,
 * less for others.
 */
export const pathPrior: (path: string) => number = remember((path) => {
  let prior = 1;
  if (TEST_FOLDER.test(path) || TEST_FILE.test(path.slice(path.lastIndexOf('/') + 1)))
    prior *= WEIGHTS.testPrior;
  if (SIDE_FOLDER.test(path)) prior *= WEIGHTS.sidePrior;
  if (DECLARATION_FILE.test(path)) prior *= WEIGHTS.declarationPrior;
  if (PACKAGE_FILE.test(path)) prior *= WEIGHTS.packageFilePrior;
  return prior;
}, MAX_CACHED_PATHS);

/** Returns the prior of a prose file of a repository. */
function prosePrior(path: string): number {
  return RELEASE_NOTES.test(path) ? WEIGHTS.releaseNotesPrior : WEIGHTS.prosePrior;
}

/**
 * Multiplies by the path's prior: files of repositories and parts of API specifications, never
 * pages or documents. If a requested name is defined only on less likely paths, in tests or
 * examples, its likeliest definitions lose nothing: users look for them.
 *
 * @param names that the query spells out. @param asked files that the query names by their path:
 * they lose nothing.
 */
export function applyPathPriors<C extends RankCandidate>(
  scored: readonly Scored<C>[],
  isRepository: (sourceId: string) => boolean,
  names: readonly string[],
  asked: ReadonlySet<number>,
): void {
  const byFile = new Map<number, number>();
  const priors = scored.map(({ candidate: { path, chunkType, sourceId, endpointKey }, file }) => {
    if (chunkType === 'openapi') return endpointKey === undefined ? WEIGHTS.schemaPrior : 1;
    if (!isRepository(sourceId) || asked.has(file)) return 1;
    let prior = byFile.get(file);
    if (prior === undefined)
      byFile.set(file, (prior = chunkType === 'code' ? pathPrior(path) : prosePrior(path)));
    return prior;
  });
  const defines = scored.map(({ candidate }) => definesAny(candidate, names));
  const likeliest = priors.reduce(
    (most, prior, at) => (defines[at] ? Math.max(most, prior) : most),
    0,
  );
  scored.forEach(
    (entry, at) => (entry.score *= (priors[at] as number) / (defines[at] ? likeliest : 1)),
  );
}
