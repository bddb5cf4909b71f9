import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { lexicalScorer } from './lexical-score.js';
import type { PathFacts } from './path-facts.js';
import type {
  CorpusStatistics,
  ModelProfile,
  RankOptions,
  SimilarityRange,
  SourceStanding,
} from './rank.types.js';
import type { RankInput } from './rank-input.js';

/** Values that the chunks of a group of the input share. */
interface Group {
  readonly source: SourceStanding;
  readonly model: string | undefined;
  readonly profile: ModelProfile;
}

/** Options of a ranking whose sources have the numbers of the input's groups. */
export interface TableOptions extends Omit<RankOptions, 'sourceOf'> {
  readonly sourceOf: (group: number) => SourceStanding;
}

/**
 * Relevant chunks on their way through the steps of ranking, as columns: one object a chunk would
 * cost more than the steps. Chunks and files have the numbers of the input.
 */
export class RankTable {
  /** Relevant chunks, in the order of their ids. */
  readonly entries: Uint32Array;
  readonly lexical: Float64Array;
  readonly semantic: Float64Array;
  /** The score before the source priority. */
  readonly combined: Float64Array;
  /** The result of the last step. */
  readonly score: Float64Array;
  /** File of each relevant chunk, across sources. */
  readonly files: Uint32Array;
  /** Facts of the path of each file. */
  readonly facts: PathFacts[] = [];
  /** Source of each file. */
  readonly sources: SourceStanding[] = [];
  /** Relevant chunks file by file; a step may order those of a file. */
  readonly members: Uint32Array;
  /** Index in `members` of the first chunk of each file; the last number is the end. */
  readonly starts: Uint32Array;
  /** Names that each chunk of the input defines, as bits; see {@link bitsOf}. */
  readonly defined: Uint32Array;
  private readonly names: readonly string[];
  private readonly groups: (Group | undefined)[] = [];
  private readonly profiles = new Map<string | undefined, ModelProfile>();

  /** Computes the scores of the two retrievers, and keeps the relevant chunks. */
  constructor(
    readonly input: RankInput,
    query: AnalyzedQuery,
    statistics: CorpusStatistics,
    private readonly options: Pick<TableOptions, 'profileOf' | 'sourceOf'>,
  ) {
    const { count, memory } = input;
    this.names = namesOf(query);
    this.lexical = memory.floats(count);
    this.semantic = memory.floats(count);
    this.combined = memory.floats(count);
    this.score = memory.floats(count);
    this.files = memory.numbers(count);
    this.defined = memory.numbers(count).fill(0);
    for (const name of this.names) input.markDefiners(name, this.bitsOf([name]), this.defined);
    this.entries = this.scored(
      statistics,
      this.bitsOf(query.identifiers.filter((name) => !query.capitalised.has(name))),
    );
    this.starts = memory.numbers(this.facts.length + 1).fill(0);
    this.members = this.groupedByFile();
  }

  /** Returns names as bits of {@link defined}; other names than those of the query have none. */
  bitsOf(names: readonly string[]): number {
    let bits = 0;
    for (const name of names) {
      const at = this.names.indexOf(name);
      if (at !== -1) bits |= 1 << at;
    }
    return bits;
  }

  get fileCount(): number {
    return this.facts.length;
  }

  /** Returns the source of a relevant chunk. */
  sourceOf(at: number): SourceStanding {
    return this.sources[this.files[at] as number] as SourceStanding;
  }

  /** Returns the model of the cosine of a chunk, with its profile. */
  modelOf(at: number): Pick<Group, 'model' | 'profile'> {
    return this.groupOf(this.input.groups[at] as number);
  }

  /** Returns whether the first of two chunks comes first: by score, equal scores by id. */
  isBefore(at: number, other: number): boolean {
    const score = this.score[at] as number;
    const otherScore = this.score[other] as number;
    if (score === otherScore) return this.input.compareIds(at, other) < 0;
    return score > otherScore;
  }

  /**
   * Scores the chunks of the input. A chunk is relevant with a query term, a definition of one of
   * some names, or a similarity that reaches the model's floor.
   */
  private scored(statistics: CorpusStatistics, names: number): Uint32Array {
    const { input, lexical, semantic, score, files, defined } = this;
    const { count, terms, frequencies, cosines, groups, lengths } = input;
    const lexicalScore = lexicalScorer(statistics);
    const entries = input.memory.numbers(count);
    let relevant = 0;
    for (let at = 0; at < count; at += 1) {
      const { source, profile } = this.groupOf(groups[at] as number);
      const cosine = cosines[at] as number;
      const row = at * terms;
      const hasTerm = hasAny(frequencies, row, row + terms);
      const isNear = cosine >= profile.similarityFloor;
      if (!hasTerm && !isNear && ((defined[at] as number) & names) === 0) continue;
      const byWords = lexicalScore(frequencies, lengths[at] as number, row, terms);
      const byMeaning = calibrated(cosine, profile.similarityRange);
      lexical[at] = byWords;
      semantic[at] = byMeaning;
      score[at] = profile.weights.lexical * byWords + profile.weights.semantic * byMeaning;
      const file = input.file(at);
      files[at] = file;
      if (file === this.facts.length) {
        this.facts.push(input.facts(at));
        this.sources.push(source);
      }
      entries[relevant++] = at;
    }
    return entries.subarray(0, relevant);
  }

  /** Returns the relevant chunks file by file, and sets where each file begins. */
  private groupedByFile(): Uint32Array {
    const { entries, files, starts } = this;
    const { memory } = this.input;
    for (let i = 0; i < entries.length; i += 1) {
      const at = entries[i] as number;
      const next = (files[at] as number) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let file = 1; file < starts.length; file += 1)
      starts[file] = (starts[file] as number) + (starts[file - 1] as number);
    const members = memory.numbers(entries.length);
    const ends = memory.numbers(starts.length);
    ends.set(starts);
    for (let i = 0; i < entries.length; i += 1) {
      const at = entries[i] as number;
      const file = files[at] as number;
      const end = ends[file] as number;
      members[end] = at;
      ends[file] = end + 1;
    }
    return members;
  }

  private groupOf(group: number): Group {
    return (this.groups[group] ??= this.begun(group));
  }

  private begun(group: number): Group {
    const model = this.input.cosineModel(group);
    return { source: this.options.sourceOf(group), model, profile: this.profileOfModel(model) };
  }

  private profileOfModel(model: string | undefined): ModelProfile {
    let profile = this.profiles.get(model);
    if (!profile) this.profiles.set(model, (profile = this.options.profileOf(model)));
    return profile;
  }
}

/** Returns the names of a query. They are fewer than 32, because an analysis limits them. */
function namesOf({ identifiers, identifier, spelled }: AnalyzedQuery): readonly string[] {
  if (identifiers.length === 0) return identifiers;
  return [
    ...new Set([...identifiers, ...spelled, ...(identifier === undefined ? [] : [identifier])]),
  ];
}

function hasAny(frequencies: ArrayLike<number>, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if ((frequencies[at] as number) > 0) return true;
  return false;
}

function calibrated(cosine: number, { low, high }: SimilarityRange): number {
  return Math.min(1, Math.max(0, (cosine - low) / (high - low)));
}
