import { remember } from '../bounded-cache.js';
import { fileStem, type PathTerms, pathTerms } from './path-match.js';
import { bundledFolders, pathKinds } from './path-priors.js';
import { type TranslatedPath, translatedPath } from './translated-path.js';

/**
 * Paths whose facts are kept, by a thread: the files of a large repository. They take about 0.8 KB
 * each.
 */
export const MAX_KEPT_PATHS = 20_000;

/** Values that depend on a path alone. Most are computed when they are first read. */
export class PathFacts {
  /** Kinds of the path; see {@link PathKind}. */
  readonly kinds: number;
  private knownFirsts = 0;
  private knownTerms: PathTerms | undefined;
  private knownBundled: readonly string[] | undefined;
  private knownTranslation: TranslatedPath | undefined;
  private knownStem: string | undefined;

  constructor(readonly path: string) {
    this.kinds = pathKinds(path);
  }

  /** Terms of the file's name and of its folder. */
  get terms(): PathTerms {
    if (!this.knownTerms) {
      this.knownTerms = pathTerms(this.path);
      this.knownFirsts = this.knownTerms.firsts;
    }
    return this.knownTerms;
  }

  /** First characters of the terms: a search reads them of each file, and the terms of some. */
  get firsts(): number {
    return this.knownTerms ? this.knownFirsts : this.terms.firsts;
  }

  /** Names of a folder of other projects in the path; see {@link bundledFolders}. */
  get bundled(): readonly string[] {
    return (this.knownBundled ??= bundledFolders(this.path));
  }

  get translation(): TranslatedPath {
    return (this.knownTranslation ??= translatedPath(this.path));
  }

  /** The file's stem in the form of {@link flatName}. */
  get flatStem(): string {
    return (this.knownStem ??= flatName(fileStem(this.path)));
  }

  /** Returns whether the path ends with whole parts: `/sessions.py`, in lower case. */
  endsWith(end: string): boolean {
    return `/${this.path.toLowerCase()}`.endsWith(end);
  }
}

/** Returns the facts of a path, for callers that keep none themselves. */
export const pathFacts: (path: string) => PathFacts = remember(
  (path) => new PathFacts(path),
  MAX_KEPT_PATHS,
);

/** Returns a name in lower case and without underscores. */
export function flatName(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}
