import { CODE, OPENAPI } from './chunk-type.js';
import type { NamedPlaces } from './named-places.js';
import { type PathFacts, pathFacts } from './path-facts.js';
import { codeFactor, kindsPrior, PathKind, proseFactor } from './path-priors.js';
import type { RankCandidate } from './rank.types.js';
import type { RankTable } from './rank-table.js';
import { WEIGHTS } from './weights.js';

/** Parts of a query that name results. */
export interface NamedByQuery {
  /** Names that it spells out, as bits of `RankTable.defined`. */
  readonly names: number;
  /** Files that it names by their path; they lose nothing. */
  readonly asked: ReadonlySet<number>;
  /** Kinds of places that it names. */
  readonly places: NamedPlaces;
}

/** Symbol inside a module of tests, by Rust's convention. */
const TEST_MODULE = /^(?:mod )?tests?(?:$|\W)/;

/**
 * Returns the prior of a code file of a repository, by its path alone: 1 for a plain source file,
 * less for others.
 */
export function pathPrior(path: string): number {
  return kindsPrior(pathFacts(path).kinds);
}

/**
 * Returns the prior of a chunk by its path, and in some files by its symbol. It is 1 for plain
 * code, for pages and documents, and for endpoints.
 */
export function placePrior(
  candidate: RankCandidate,
  isRepository: boolean,
  named: NamedPlaces,
): number {
  const { chunkType } = candidate;
  if (chunkType === 'openapi') return candidate.endpointKey === undefined ? WEIGHTS.schemaPrior : 1;
  if (!isRepository) return 1;
  const facts = pathFacts(candidate.path);
  const prior = filePrior(facts, chunkType === 'code', named);
  return chunkType === 'code' && needsSymbol(facts, named)
    ? prior * symbolPrior(facts, candidate.symbol)
    : prior;
}

/** Returns the prior that all code, or all prose, of a file of a repository shares. */
function filePrior(facts: PathFacts, isCode: boolean, { words, tests }: NamedPlaces): number {
  const { kinds } = facts;
  const factor = isCode ? codeFactor(kinds, tests) : proseFactor(kinds);
  // Code of other projects loses nothing if a word names its folder or its project.
  const isOfOthers =
    (kinds & PathKind.bundled) !== 0 && !facts.bundled.some((name) => words.has(name));
  return isOfOthers ? factor * WEIGHTS.bundledPrior : factor;
}

/** Returns whether the symbol of a piece of code decides about its prior; it must be decoded. */
function needsSymbol({ kinds }: PathFacts, { tests }: NamedPlaces): boolean {
  if ((kinds & PathKind.rust) !== 0) return !tests && kindsPrior(kinds) === 1;
  return (kinds & PathKind.packageFile) !== 0;
}

/**
 * Returns the factor of a piece of code by its symbol. Code of a package file without one mostly
 * imports and lists names; a module of tests of a Rust file is a test.
 */
function symbolPrior({ kinds }: PathFacts, symbol: string | undefined): number {
  if ((kinds & PathKind.packageFile) !== 0) return symbol ? 1 : WEIGHTS.packageFilePrior;
  return TEST_MODULE.test(symbol ?? '') ? WEIGHTS.testPrior : 1;
}

/**
 * Multiplies by the path's prior: files of repositories and parts of API specifications, never
 * pages or documents. If a requested name is defined only on less likely paths, in tests or
 * examples, its likeliest definitions lose nothing: users look for them. Each name counts alone, so
 * that a test which is named next to other code keeps its score.
 */
export function applyPathPriors(table: RankTable, named: NamedByQuery): void {
  const { entries, score, defined } = table;
  const priors = priorsOf(table, named);
  let found = 0;
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    found |= (defined[at] as number) & named.names;
  }
  if (found === 0) {
    for (let i = 0; i < entries.length; i += 1) {
      const at = entries[i] as number;
      score[at] = (score[at] as number) * (priors[at] as number);
    }
    return;
  }
  const likeliest = likeliestOf(table, found, priors);
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    score[at] = (score[at] as number) * ((priors[at] as number) / (likeliest[at] as number));
  }
}

/** Returns the prior of each entry. */
function priorsOf(table: RankTable, { asked, places }: NamedByQuery): Float64Array {
  const { input, entries, files, facts, sources } = table;
  const { chunkTypes } = input;
  const priors = input.memory.floats(input.count);
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    const file = files[at] as number;
    const type = chunkTypes[at] as number;
    if (type === OPENAPI) {
      priors[at] = input.endpointKey(at) === undefined ? WEIGHTS.schemaPrior : 1;
      continue;
    }
    // A file that was asked for loses nothing.
    if (!sources[file]?.isRepository || asked.has(file)) {
      priors[at] = 1;
      continue;
    }
    const ofPath = facts[file] as PathFacts;
    let prior = filePrior(ofPath, type === CODE, places);
    if (type === CODE && needsSymbol(ofPath, places))
      prior *= symbolPrior(ofPath, input.symbol(at));
    priors[at] = prior;
  }
  return priors;
}

/**
 * Returns the highest prior of the definitions of each entry's name, of several names the lowest;
 * 1 for an entry that defines none.
 *
 * @param names that entries define, as bits
 */
function likeliestOf(
  { entries, defined }: RankTable,
  names: number,
  priors: Float64Array,
): Float64Array {
  const likeliest = new Float64Array(priors.length).fill(1);
  for (let name = 1; name <= names && name > 0; name <<= 1) {
    if ((names & name) === 0) continue;
    const definers = entries.filter((at) => ((defined[at] as number) & name) !== 0);
    let highest = 0;
    for (const at of definers) highest = Math.max(highest, priors[at] as number);
    for (const at of definers) likeliest[at] = Math.min(likeliest[at] as number, highest);
  }
  return likeliest;
}
