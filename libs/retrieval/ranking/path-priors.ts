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

/** Factors of a path. Which of them apply depends on the query and on the chunk. */
export interface PathPriors {
  /** Factor of code, but for the next two. */
  readonly code: number;
  /** Factor of a test; 1 for other files. */
  readonly test: number;
  /** Factor of a package file; 1 for other files. */
  readonly packageFile: number;
  /** Factor of code of the file by its path alone: 1 for a plain source file. */
  readonly all: number;
  readonly prose: number;
  /**
   * Folder of other projects in the path, and the project's: `deps/lua/src/lapi.c` → `deps`, `lua`.
   * Empty for a path without one.
   */
  readonly bundled: readonly string[];
  /** Rule for the symbol of code: a module of tests in Rust, or none in a package file. */
  readonly symbol: 'tests' | 'package' | undefined;
}

/** Returns the factors of a path. */
export function pathPriors(path: string): PathPriors {
  const [, folder, project] = BUNDLED_FOLDER.exec(path) ?? [];
  const file = path.slice(path.lastIndexOf('/') + 1);
  const code =
    (SIDE_FOLDER.test(path) ? WEIGHTS.sidePrior : 1) *
    (DECLARATION_FILE.test(path) ? WEIGHTS.declarationPrior : 1);
  const test = TEST_FOLDER.test(path) || TEST_FILE.test(file) ? WEIGHTS.testPrior : 1;
  const packageFile = PACKAGE_FILE.test(path) ? WEIGHTS.packageFilePrior : 1;
  return {
    code,
    test,
    packageFile,
    all: code * test * packageFile,
    prose: RELEASE_NOTES.test(path) ? WEIGHTS.releaseNotesPrior : WEIGHTS.prosePrior,
    bundled: [folder, project].flatMap((name) => (name === undefined ? [] : [name.toLowerCase()])),
    symbol: path.endsWith('.rs') ? 'tests' : packageFile < 1 ? 'package' : undefined,
  };
}
