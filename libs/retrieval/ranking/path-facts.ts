import { remember } from '../bounded-cache.js';
import { fileStem, type PathTerms, pathTerms } from './path-match.js';
import { type PathPriors, pathPriors } from './path-priors.js';
import { type TranslatedPath, translatedPath } from './translated-path.js';

/**
 * Paths whose facts are kept, by a thread: the files of a large repository. They take about 0.7 KB
 * each.
 */
export const MAX_KEPT_PATHS = 20_000;

/** Values that depend on a path alone. Each is computed when it is first read. */
export class PathFacts {
  private knownTerms: PathTerms | undefined;
  private knownPriors: PathPriors | undefined;
  private knownTranslation: TranslatedPath | undefined;
  private knownStem: string | undefined;

  constructor(readonly path: string) {}

  /** Terms of the file's name and of its folder. */
  get terms(): PathTerms {
    return (this.knownTerms ??= pathTerms(this.path));
  }

  get priors(): PathPriors {
    return (this.knownPriors ??= pathPriors(this.path));
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
