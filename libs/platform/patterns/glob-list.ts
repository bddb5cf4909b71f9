import type { TimeSlices } from '../concurrency/time-slices.js';
import { Automaton, type AutomatonRun, runSliced } from './automaton.js';
import { globChain, namesOf } from './glob-chain.js';
import { alternativesOf, expandedSize, MAX_EXPANDED } from './glob-syntax.js';

/** Longest path that a pattern can match, UTF-16 code units. */
export const MAX_PATH = 4_096;

interface Group {
  readonly patterns: readonly string[];
  /** Index of the first pattern in the list. */
  readonly first: number;
  automaton?: Automaton;
}

/**
 * A list of globs, matched together: the work for a path is linear in its length, whatever the
 * patterns are. Lists that {@link validateGlobList} accepts need one automaton or two. Older,
 * larger ones are divided into several, which {@link matchingSliced} builds and runs without
 * holding the event loop.
 */
export class GlobList {
  private readonly groups: Group[] = [];

  /**
   * @throws RangeError with the sentence of {@link validateGlob} for the first pattern that cannot
   * be used.
   */
  constructor(patterns: readonly string[]) {
    let size = 0;
    let from = 0;
    patterns.forEach((pattern, index) => {
      const more = expandedSize(pattern);
      if (size + more > MAX_EXPANDED && index > from) {
        this.groups.push({ patterns: patterns.slice(from, index), first: from });
        [size, from] = [0, index];
      }
      size += more;
    });
    if (from < patterns.length) this.groups.push({ patterns: patterns.slice(from), first: from });
  }

  get isEmpty(): boolean {
    return this.groups.length === 0;
  }

  /** Steps of all matches so far, for tests and measurements of the work. */
  get steps(): number {
    return this.groups.reduce((sum, { automaton }) => sum + (automaton?.steps ?? 0), 0);
  }

  /** Returns whether any pattern matches. A path longer than {@link MAX_PATH} never matches. */
  matches(path: string): boolean {
    const text = readable(path);
    return (
      text !== undefined &&
      this.groups.some((group) => wholeRun(automatonOf(group), text).length > 0)
    );
  }

  /** Returns the indexes of the patterns that match, ascending. */
  matching(path: string): ReadonlySet<number> {
    const text = readable(path);
    return new Set(
      text === undefined ? [] : this.groups.flatMap((group) => wholeRun(automatonOf(group), text)),
    );
  }

  /**
   * Does the same as {@link matching}, and yields to the event loop whenever a slice is used up.
   */
  async matchingSliced(
    path: string,
    slices: TimeSlices,
    signal?: AbortSignal,
  ): Promise<ReadonlySet<number>> {
    const text = readable(path);
    const found = new Set<number>();
    if (text === undefined) return found;
    for (const group of this.groups) {
      if (slices.isUsedUp) await slices.pause(signal);
      const automaton = automatonOf(group);
      for (const result of await runSliced(automaton, text, slices, signal)) found.add(result);
    }
    return found;
  }
}

/**
 * The names of a path, each with a `/` behind it; undefined for a path that is too long to match.
 */
function readable(path: string): string | undefined {
  if (path.length > MAX_PATH) return undefined;
  const isPlain = !path.startsWith('/') && !path.endsWith('/') && !path.includes('//');
  return isPlain
    ? path === ''
      ? ''
      : `${path}/`
    : namesOf(path)
        .map((name) => `${name}/`)
        .join('');
}

function automatonOf(group: Group): Automaton {
  group.automaton ??= new Automaton(
    group.patterns.flatMap((pattern, index) => {
      const alternatives = [...new Set(alternativesOf(pattern))];
      return alternatives.map((alternative) => globChain(alternative, group.first + index));
    }),
    'slash',
  );
  return group.automaton;
}

function wholeRun(automaton: Automaton, text: string): number[] {
  const run: AutomatonRun = automaton.start();
  automaton.advance(run, text, text.length);
  return automaton.results(run);
}
