import { CandidateFields } from './candidate-fields.js';
import { typeNumber } from './chunk-type.js';
import { type PathFacts, pathFacts } from './path-facts.js';
import type { RankCandidate } from './rank.types.js';
import type { RankInput } from './rank-input.js';
import { byId, numberFiles } from './scored.js';

/** Candidates as the input of the ranker. */
export class CandidateInput<C extends RankCandidate>
  extends CandidateFields<C>
  implements RankInput
{
  readonly terms: number;
  readonly frequencies: Float64Array;
  readonly cosines: Float64Array;
  readonly groups: Uint32Array;
  readonly lengths: Float64Array;
  readonly chunkTypes: Uint8Array;
  /** The first candidate of each group. */
  private readonly firsts: C[] = [];
  private readonly fileOf = numberFiles();

  /** @param found candidates in any order */
  constructor(found: readonly C[]) {
    super(orderedById(found));
    const { candidates } = this;
    this.terms = candidates.reduce(
      (most, { termFrequencies }) => Math.max(most, termFrequencies.length),
      0,
    );
    this.frequencies = new Float64Array(candidates.length * this.terms);
    candidates.forEach(({ termFrequencies }, at) => {
      this.frequencies.set(termFrequencies, at * this.terms);
    });
    this.cosines = Float64Array.from(candidates, ({ cosine }) => cosine);
    this.groups = Uint32Array.from(candidates, this.grouping());
    this.lengths = Float64Array.from(candidates, ({ length }) => length);
    this.chunkTypes = Uint8Array.from(candidates, ({ chunkType }) => typeNumber(chunkType));
  }

  sourceId(group: number): string {
    return (this.firsts[group] as C).sourceId;
  }

  cosineModel(group: number): string | undefined {
    return (this.firsts[group] as C).cosineModel;
  }

  file(at: number): number {
    return this.fileOf(this.candidate(at));
  }

  facts(at: number): PathFacts {
    return pathFacts(this.candidate(at).path);
  }

  markDefiners(name: string, bit: number, marks: Uint32Array): void {
    for (let at = 0; at < this.count; at += 1)
      if (this.candidate(at).defines(name)) marks[at] = (marks[at] as number) | bit;
  }

  symbol(at: number): string | undefined {
    return this.candidate(at).symbol;
  }

  endpointKey(at: number): string | undefined {
    return this.candidate(at).endpointKey;
  }

  chunkId(at: number): string {
    return this.candidate(at).chunkId;
  }

  compareIds(at: number, other: number): number {
    return byId(this.candidate(at), this.candidate(other));
  }

  /** Returns a function that numbers sources and models; most candidates have those before. */
  private grouping(): (candidate: C) => number {
    const groups = new Map<string, number>();
    return (candidate) => {
      const { sourceId, cosineModel } = candidate;
      const last = this.firsts.at(-1);
      if (last?.sourceId === sourceId && last.cosineModel === cosineModel)
        return this.firsts.length - 1;
      const key = `${sourceId} ${cosineModel ?? ''} ${cosineModel === undefined}`;
      let group = groups.get(key);
      if (group === undefined) groups.set(key, (group = this.firsts.push(candidate) - 1));
      return group;
    };
  }
}

/** Returns candidates in the order of their ids; an engine mostly returns them in it. */
function orderedById<C extends RankCandidate>(candidates: readonly C[]): readonly C[] {
  for (let at = 1; at < candidates.length; at += 1)
    if (byId(candidates[at - 1] as C, candidates[at] as C) > 0) return candidates.toSorted(byId);
  return candidates;
}
