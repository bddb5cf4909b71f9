import { beforeFirst } from '#contracts/content/before-first';
import type { TimeSlices } from '#platform';
import {
  Automaton,
  type Chain,
  type ChainState,
  Loop,
  runSliced,
} from '#platform/patterns/automaton';

/** Longest pattern that is matched as a whole. URLs of pages are shorter. */
export const LONGEST_PATTERN = 2_048;
/** Most characters of all patterns with `*` or `$` together, which bounds the work for a URL. */
export const MOST_WILDCARD_CHARACTERS = 16_384;

export interface RobotsRule {
  /** As written; runs of `*` count as one. */
  readonly pattern: string;
  readonly allow: boolean;
}

interface Decision {
  readonly allow: boolean;
  /** The longest pattern decides; of two equally long ones, the one that allows. */
  readonly weight: number;
}

/**
 * Decides about paths as defined by RFC 9309: the longest matching pattern wins. Patterns without
 * wildcards are looked up by the beginnings of a path; the others are matched together. This bounds
 * the work for a URL, whatever the rules are. Over a bound, a rule that forbids covers more (up to
 * its first wildcard), and one that allows is ignored.
 */
export class RobotsRules {
  private readonly literals = new Map<string, Decision>();
  private readonly lengths = new Set<number>();
  private readonly chains: Chain[] = [];
  private readonly wildcards: Decision[] = [];
  private wildcardCharacters = 0;
  private automaton = new Automaton([], 'all');
  private comparedCharacters = 0;

  private constructor() {}

  /** Reads the rules of a group, and yields to the event loop whenever a slice is used up. */
  static async of(rules: Iterable<RobotsRule>, slices: TimeSlices): Promise<RobotsRules> {
    const all = new RobotsRules();
    for (const rule of rules) {
      if (slices.isUsedUp) await slices.pause();
      all.add(rule);
    }
    all.automaton = new Automaton(all.chains, 'all');
    return all;
  }

  /**
   * Counts characters and automaton steps of all decisions so far, for tests and measurements of
   * the work.
   */
  get steps(): number {
    return this.comparedCharacters + this.automaton.steps;
  }

  /**
   * Returns whether the rules allow a path. @param path with its query, percent-encoded as in a
   * URL.
   */
  async allows(path: string, slices: TimeSlices): Promise<boolean> {
    const text = upperCaseEscapes(path);
    let best: Decision = { allow: true, weight: -1 };
    const consider = (decision: Decision | undefined): void => {
      if (decision !== undefined && isStronger(decision, best)) best = decision;
    };
    for (const length of this.lengths) {
      if (slices.isUsedUp) await slices.pause();
      if (length > text.length) continue;
      this.comparedCharacters += length;
      consider(this.literals.get(text.slice(0, length)));
    }
    for (const result of await runSliced(this.automaton, text, slices))
      consider(this.wildcards[result]);
    return best.allow;
  }

  private add({ pattern: written, allow }: RobotsRule): void {
    const { pattern, atEndOnly, weight } = patternOf(written);
    const decision = { allow, weight };
    const fits = pattern.length <= LONGEST_PATTERN;
    if (fits && !pattern.includes('*') && !atEndOnly) return this.addLiteral(pattern, decision);
    const size = this.wildcardCharacters + pattern.length + 1;
    if (fits && size <= MOST_WILDCARD_CHARACTERS) {
      this.wildcardCharacters = size;
      const result = this.wildcards.push(decision) - 1;
      this.chains.push({ states: statesOf(pattern), result, early: !atEndOnly, atEnd: true });
    } else if (!allow)
      this.addLiteral(beforeFirst(pattern.slice(0, LONGEST_PATTERN), '*'), decision);
  }

  private addLiteral(pattern: string, decision: Decision): void {
    this.lengths.add(pattern.length);
    const known = this.literals.get(pattern);
    if (known === undefined || isStronger(decision, known)) this.literals.set(pattern, decision);
  }
}

/**
 * Returns the pattern in the spelling of URLs. Removes a `$` or `*` at its end, which mean the end
 * or nothing.
 */
function patternOf(written: string) {
  const spelled = upperCaseEscapes(encoded(written.replace(/\*+/g, '*')));
  const end = spelled.endsWith('$') ? spelled.length - 1 : spelled.length;
  const isOpen = end === spelled.length || spelled[end - 1] === '*';
  const pattern = spelled.slice(0, end > 0 && spelled[end - 1] === '*' ? end - 1 : end);
  return { pattern, atEndOnly: !isOpen, weight: spelled.length };
}

function encoded(pattern: string): string {
  return pattern.isWellFormed() ? encodeURI(pattern).replaceAll('%25', '%') : pattern;
}

function upperCaseEscapes(path: string): string {
  return path.replace(/%[0-9a-fA-F]{2}/g, (escape) => escape.toUpperCase());
}

function statesOf(pattern: string): readonly ChainState[] {
  const states: ChainState[] = [{ enter: 0, loop: Loop.none }];
  for (let at = 0; at < pattern.length; at += 1) {
    const last = states.at(-1) as ChainState;
    if (pattern[at] === '*') states[states.length - 1] = { ...last, loop: Loop.always };
    else states.push({ enter: pattern.charCodeAt(at), loop: Loop.none });
  }
  return states;
}

function isStronger(a: Decision, b: Decision): boolean {
  return a.weight > b.weight || (a.weight === b.weight && a.allow && !b.allow);
}
