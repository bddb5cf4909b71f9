import { remember } from '../bounded-cache.js';
import { type NamedPlaces, TEST_NAMES } from './named-places.js';
import type { RankCandidate } from './rank.types.js';
import type { Scored } from './scored.js';
import { WEIGHTS } from './weights.js';

/** Parts of a query that name results. */
export interface NamedByQuery {
  /** Names that it spells out. */
  readonly names: readonly string[];
  /** Files that it names by their path; they lose nothing. */
  readonly asked: ReadonlySet<number>;
  /** Kinds of places that it names. */
  readonly places: NamedPlaces;
}

const TEST_FOLDER = new RegExp(`(?:^|/)(?:${TEST_NAMES})/`, 'i');
/**
 * Pattern for a file's name without its folders. No part can fail after a long run, so that time
 * stays linear in the name.
 */
const TEST_FILE =
  /^test_|_test\.|\.(?:test|spec)\.|Tests?\.(?:java|kt|cs|swift|scala)$|(?:Spec|Suite)\.(?:scala|kt)$/;
/** A folder of other projects, with the folder of one of them. */
const BUNDLED_FOLDER =
  /(?:^|\/)(deps|third[-_]?party|externals?|vendor(?:ed)?|node_modules|bower_components)\/(?:([^/]+)\/)?/i;
/** Symbol inside a module of tests, by Rust's convention. */
const TEST_MODULE = /^(?:mod )?tests?(?:$|\W)/;
const SIDE_FOLDER = /(^|\/)(examples?|docs?|docs_src|compat|legacy|deprecated)\//i;
const DECLARATION_FILE = /\.d\.[cm]?ts$/;
const PACKAGE_FILE = /(^|\/)(__init__\.py|package-info\.java)$/;

const RELEASE_NOTES = /(^|\/)(changelog|changes|history|news|release[-_ ]?notes)(\.[^/]*)?$/i;

const MAX_CACHED_PATHS = 20_000;

/**
 * Returns the prior of a code file of a repository, by its path alone: 1 for a plain source file,
 * less for others.
 */
export function pathPrior(path: string): number {
  const { code, test, packageFile } = priorsOf(path);
  return code * test * packageFile;
}

/** Factors of a path. Which of them apply depends on the query and on the chunk. */
interface PathPriors {
  /** Factor of code, but for the next two. */
  readonly code: number;
  /** Factor of a test; 1 for other files. */
  readonly test: number;
  /** Factor of a package file; 1 for other files. */
  readonly packageFile: number;
  readonly prose: number;
  /**
   * Folder of other projects in the path, and the project's: `deps/lua/src/lapi.c` → `deps`, `lua`.
   * Empty for a path without one.
   */
  readonly bundled: readonly string[];
}

/** Returns all that depends on a path alone: a search looks up each of its files once. */
const priorsOf: (path: string) => PathPriors = remember((path) => {
  const [, folder, project] = BUNDLED_FOLDER.exec(path) ?? [];
  const file = path.slice(path.lastIndexOf('/') + 1);
  return {
    code:
      (SIDE_FOLDER.test(path) ? WEIGHTS.sidePrior : 1) *
      (DECLARATION_FILE.test(path) ? WEIGHTS.declarationPrior : 1),
    test: TEST_FOLDER.test(path) || TEST_FILE.test(file) ? WEIGHTS.testPrior : 1,
    packageFile: PACKAGE_FILE.test(path) ? WEIGHTS.packageFilePrior : 1,
    prose: prosePrior(path),
    bundled: [folder, project].flatMap((name) => (name === undefined ? [] : [name.toLowerCase()])),
  };
}, MAX_CACHED_PATHS);

/** Returns the factor for code of other projects: 1 if a word names its folder or its project. */
function bundledPrior(folders: readonly string[], words: ReadonlySet<string>): number {
  return folders.length === 0 || folders.some((name) => words.has(name)) ? 1 : WEIGHTS.bundledPrior;
}

/**
 * Returns the factor of a piece of code by its symbol. Code of a package file without one mostly
 * imports and lists names; a module of tests of a Rust file is a test.
 */
function symbolPrior(candidate: RankCandidate, { tests }: NamedPlaces): number {
  const { path } = candidate;
  // The symbol is decoded when it is read, so only where it decides.
  if (path.endsWith('.rs')) {
    const isTest = !tests && pathPrior(path) === 1 && TEST_MODULE.test(candidate.symbol ?? '');
    return isTest ? WEIGHTS.testPrior : 1;
  }
  if (!path.endsWith('.py') && !path.endsWith('.java')) return 1;
  const { packageFile } = priorsOf(path);
  return packageFile < 1 && !candidate.symbol ? packageFile : 1;
}

/** Returns the prior of a prose file of a repository. */
function prosePrior(path: string): number {
  return RELEASE_NOTES.test(path) ? WEIGHTS.releaseNotesPrior : WEIGHTS.prosePrior;
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
  return priorWith(candidate, isRepository, named, ({ path }, isCode) =>
    filePrior(path, isCode, named),
  );
}

/** @param ofFile returns the prior that all code, or all prose, of the file shares. */
function priorWith(
  candidate: RankCandidate,
  isRepository: boolean,
  named: NamedPlaces,
  ofFile: (candidate: RankCandidate, isCode: boolean) => number,
): number {
  const { chunkType } = candidate;
  if (chunkType === 'openapi') return candidate.endpointKey === undefined ? WEIGHTS.schemaPrior : 1;
  if (!isRepository) return 1;
  if (chunkType !== 'code') return ofFile(candidate, false);
  return ofFile(candidate, true) * symbolPrior(candidate, named);
}

/** Returns the prior that all code, or all prose, of a file of a repository shares. */
function filePrior(path: string, isCode: boolean, { words, tests }: NamedPlaces): number {
  const { code, test, prose, bundled } = priorsOf(path);
  return (isCode ? code * (tests ? 1 : test) : prose) * bundledPrior(bundled, words);
}

/**
 * Multiplies by the path's prior: files of repositories and parts of API specifications, never
 * pages or documents. If a requested name is defined only on less likely paths, in tests or
 * examples, its likeliest definitions lose nothing: users look for them. Each name counts alone, so
 * that a test which is named next to other code keeps its score.
 */
export function applyPathPriors<C extends RankCandidate>(
  scored: readonly Scored<C>[],
  { names, asked, places }: NamedByQuery,
): void {
  const ofCode: number[] = [];
  const ofProse: number[] = [];
  let current = 0;
  const ofFile = ({ path }: RankCandidate, isCode: boolean): number => {
    const known = isCode ? ofCode : ofProse;
    return (known[current] ??= filePrior(path, isCode, places));
  };
  const priors = new Float64Array(scored.length);
  const definitions = names.map((): number[] => []);
  for (let at = 0; at < scored.length; at += 1) {
    const { candidate, file, source } = scored[at] as Scored<C>;
    current = file;
    // A file that was asked for loses nothing.
    priors[at] = priorWith(candidate, source.isRepository && !asked.has(file), places, ofFile);
    for (let name = 0; name < names.length; name += 1)
      if (candidate.defines(names[name] as string)) definitions[name]?.push(at);
  }
  const likeliest = likeliestOf(definitions, priors);
  for (let at = 0; at < scored.length; at += 1)
    (scored[at] as Scored<C>).score *= (priors[at] as number) / (likeliest[at] as number);
}

/**
 * Returns the highest prior of the definitions of each entry's name, of several names the lowest;
 * 1 for an entry that defines none.
 *
 * @param definitions numbers of the entries that define each name
 */
function likeliestOf(definitions: readonly number[][], priors: Float64Array): Float64Array {
  const likeliest = new Float64Array(priors.length).fill(1);
  for (const entries of definitions) {
    let highest = 0;
    for (const at of entries) highest = Math.max(highest, priors[at] as number);
    for (const at of entries) likeliest[at] = Math.min(likeliest[at] as number, highest);
  }
  return likeliest;
}
