import type { RankCandidate } from './rank.types.js';

interface Entry<C> {
  readonly candidate: C;
}

const NONE: readonly never[] = [];

/** Candidates that results stand for: their copies and translations. */
export class Copies<C extends RankCandidate> {
  private readonly byCandidate = new Map<C, C[]>();

  readonly add = (shown: Entry<C>, copies: readonly Entry<C>[]): void => {
    const known = this.byCandidate.get(shown.candidate) ?? [];
    known.push(...copies.map(({ candidate }) => candidate));
    this.byCandidate.set(shown.candidate, known);
  };

  /** Returns the copies of a result with their own copies, best first. */
  of(shown: C): readonly C[] {
    const own = this.byCandidate.get(shown);
    if (!own) return NONE;
    return [...new Set(own.flatMap((copy) => [copy, ...(this.byCandidate.get(copy) ?? [])]))];
  }
}
