import { TEST_NAMES } from './named-places.js';
import { WEIGHTS } from './weights.js';

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
const SIDE_FOLDER = /(^|\/)(examples?|docs?|docs_src|compat|legacy|deprecated)\//i;
const DECLARATION_FILE = /\.d\.[cm]?ts$/;
const PACKAGE_FILE = /(^|\/)(__init__\.py|package-info\.java)$/;
const RELEASE_NOTES = /(^|\/)(changelog|changes|history|news|release[-_ ]?notes)(\.[^/]*)?$/i;

/**
 * Kinds of a path, as bits. A number of bits is one field of the facts of a path, where its factors
 * would be objects of their own.
 */
export const PathKind = {
  side: 1,
  declaration: 2,
  test: 4,
  packageFile: 8,
  releaseNotes: 16,
  rust: 32,
  bundled: 64,
} as const;
const ALL_KINDS = 127;

/** Returns the kinds of a path. */
export function pathKinds(path: string): number {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const bitIf = (isOf: boolean, bit: number): number => (isOf ? bit : 0);
  return (
    bitIf(SIDE_FOLDER.test(path), PathKind.side) |
    bitIf(DECLARATION_FILE.test(path), PathKind.declaration) |
    bitIf(TEST_FOLDER.test(path) || TEST_FILE.test(file), PathKind.test) |
    bitIf(PACKAGE_FILE.test(path), PathKind.packageFile) |
    bitIf(RELEASE_NOTES.test(path), PathKind.releaseNotes) |
    bitIf(path.endsWith('.rs'), PathKind.rust) |
    bitIf(BUNDLED_FOLDER.test(path), PathKind.bundled)
  );
}

/**
 * Returns the folder of other projects in a path, and the project's, in lower case:
 * `deps/lua/src/lapi.c` → `deps`, `lua`. Empty for a path without one.
 */
export function bundledFolders(path: string): readonly string[] {
  const [, folder, project] = BUNDLED_FOLDER.exec(path) ?? [];
  return [folder, project].flatMap((name) => (name === undefined ? [] : [name.toLowerCase()]));
}

/**
 * Factors of code by its kinds, but for other projects and package files. The second list is for a
 * query about tests.
 */
const CODE_FACTORS = [false, true].map((isAboutTests) =>
  Float64Array.from({ length: ALL_KINDS + 1 }, (_, kinds) => {
    const side = kinds & PathKind.side ? WEIGHTS.sidePrior : 1;
    const declaration = kinds & PathKind.declaration ? WEIGHTS.declarationPrior : 1;
    return side * declaration * (kinds & PathKind.test && !isAboutTests ? WEIGHTS.testPrior : 1);
  }),
) as [Float64Array, Float64Array];

/** Returns the factor of code by its kinds, but for other projects and package files. */
export function codeFactor(kinds: number, isAboutTests: boolean): number {
  return CODE_FACTORS[isAboutTests ? 1 : 0][kinds] as number;
}

/** Returns the factor of prose by its kinds, but for other projects. */
export function proseFactor(kinds: number): number {
  return kinds & PathKind.releaseNotes ? WEIGHTS.releaseNotesPrior : WEIGHTS.prosePrior;
}

/**
 * Returns the prior of a code file of a repository, by its path alone: 1 for a plain source file,
 * less for others.
 */
export function kindsPrior(kinds: number): number {
  const factor = codeFactor(kinds, false);
  return kinds & PathKind.packageFile ? factor * WEIGHTS.packageFilePrior : factor;
}
