import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { ContentMap, sameContent } from '../ranking/content-map.js';
import { lexicalScorer, termWeights } from '../ranking/lexical-score.js';
import type {
  CorpusStatistics,
  LegWeights,
  ModelProfile,
  RankCandidate,
  RankedChunk,
} from '../ranking/rank.types.js';
import { bump, byId, definesAny, groupByFile, numberFiles } from '../ranking/scored.js';
import { sentenceShare } from '../ranking/sentence-share.js';
import { WEIGHTS } from '../ranking/weights.js';
import { WindowFinder } from './best-window.js';
import { TermsByLine } from './terms-by-line.js';

/** Characters of a passage whose lines are read. */
const MOST_CHARACTERS = 8_000;

/** Input of the choice, as of the ranking before it. */
export interface PassageInput {
  readonly query: AnalyzedQuery;
  readonly statistics: CorpusStatistics;
  readonly profileOf: (cosineModel: string | undefined) => ModelProfile;
}

/** A place of the ranking with the number of its file. */
interface Place<C extends RankCandidate> {
  readonly chunk: RankedChunk<C>;
  readonly file: number;
}

/** A passage of a file with its own evidence: neither path words nor other passages count. */
interface Passage<C extends RankCandidate> {
  readonly candidate: C;
  readonly lexical: number;
  readonly semantic: number;
  readonly weights: LegWeights;
  evidence: number;
}

/**
 * Chooses the passages that the first files of a ranking show. Scores and the order of files stay.
 * Each place of a file in the list shows its next best passage, also one that no retriever found.
 * Applies to sentences only. A file whose first passage stands for copies, or defines a name of the
 * query, stays as it is.
 */
export class FilePassages<C extends RankCandidate> {
  private readonly fileOf = numberFiles();
  /** Places of the ranking, with the file of each. */
  private readonly places: readonly Place<C>[];
  private readonly files: ReadonlyMap<number, readonly RankedChunk<C>[]>;
  private readonly lexicalScore: ReturnType<typeof lexicalScorer>;
  private readonly names: readonly string[];
  private readonly reader: TermsByLine;
  private readonly finder: WindowFinder;
  private readonly contenders = new Map<number, Passage<C>[]>();

  constructor(
    private readonly ranked: readonly RankedChunk<C>[],
    private readonly input: PassageInput,
  ) {
    const { query, statistics } = input;
    const { weights, total } = termWeights(statistics);
    this.names = query.identifiers.filter((name) => !query.capitalised.has(name));
    this.reader = new TermsByLine(query.terms);
    this.finder = new WindowFinder(query.terms.map((_, at) => (weights[at] ?? 0) / (total || 1)));
    this.lexicalScore = lexicalScorer(statistics);
    const isSentence = sentenceShare(query) > 0;
    this.places = isSentence
      ? ranked.map((chunk) => ({ chunk, file: this.fileOf(chunk.candidate) }))
      : [];
    this.files = this.firstFiles();
  }

  /** One chunk of each file whose passages are to be read. */
  get toRead(): readonly C[] {
    return [...this.files.values()].flatMap(([first]) => (first ? [first.candidate] : []));
  }

  /**
   * Selects the passages whose text is needed: the best of each file by their own evidence, and
   * those that the list shows now.
   *
   * @param chunks all chunks of the files
   */
  select(chunks: readonly C[]): readonly C[] {
    const shownIn = new ContentMap<number>();
    for (const { chunk, file } of this.places) shownIn.set(chunk.candidate, file);
    for (const [file, own] of Map.groupBy(chunks, this.fileOf)) {
      const places = this.files.get(file);
      if (!places) continue;
      const shown = new Set(places.slice(0, 2).map(({ candidate }) => candidate.chunkId));
      const passages = own
        .filter((candidate) => (shownIn.get(candidate) ?? file) === file)
        .map((candidate) => this.passage(candidate))
        .sort(byEvidence);
      this.contenders.set(
        file,
        passages.filter(
          ({ candidate }, at) => at < WEIGHTS.passageContenders || shown.has(candidate.chunkId),
        ),
      );
    }
    return [...this.contenders.values()].flat().map(({ candidate }) => candidate);
  }

  /** Adds the share of the query's terms, by their weights, in the best lines of a passage. */
  read(chunk: C, content: string): void {
    const passage = this.contenders
      .get(this.fileOf(chunk))
      ?.find(({ candidate }) => byId(candidate, chunk) === 0);
    if (!passage) return;
    const asked = this.reader.read(content.slice(0, MOST_CHARACTERS));
    passage.evidence += WEIGHTS.passageWindow * this.finder.best(asked).covered;
  }

  /** Returns the ranking with the chosen passages. */
  chosen(): RankedChunk<C>[] {
    const orders = new Map(
      [...this.contenders].map(([file, passages]) => [file, this.orderOf(file, passages)]),
    );
    if (orders.size === 0) return [...this.ranked];
    const chosen: RankedChunk<C>[] = [];
    for (const { chunk, file } of this.places) {
      const order = orders.get(file);
      const next = order?.shift();
      if (!order || next?.candidate === chunk.candidate) chosen.push(chunk);
      else if (next) chosen.push(shownAt(chunk, next));
    }
    return chosen;
  }

  /** Files are numbered as they first appear. */
  private firstFiles(): Map<number, readonly RankedChunk<C>[]> {
    const firsts = groupByFile(this.places.filter(({ file }) => file < WEIGHTS.passageFiles));
    const files = firsts.map((places) => places.map(({ chunk }) => chunk));
    return new Map(
      [...files.entries()].filter(([, places]) => {
        const [first] = places;
        const isKept = first && definesAny(first.candidate, this.names);
        return !isKept && places.every(({ copies }) => copies === undefined);
      }),
    );
  }

  private passage(candidate: C): Passage<C> {
    const profile = this.input.profileOf(candidate.cosineModel);
    const { low, high } = profile.similarityRange;
    const lexical = this.lexicalScore(candidate.termFrequencies, candidate.length);
    const semantic = Math.min(1, Math.max(0, (candidate.cosine - low) / (high - low)));
    const { weights } = profile;
    const share = Math.min(weights.lexical, WEIGHTS.passageLexical);
    const evidence = share * lexical + (1 - share) * semantic;
    const mention = definesAny(candidate, this.names) ? WEIGHTS.mentionedDefinition : 0;
    return { candidate, lexical, semantic, weights, evidence: bump(evidence, mention) };
  }

  /** Returns the passages of a file for its places: the contenders, then the others of the list. */
  private orderOf(file: number, passages: readonly Passage<C>[]): Passage<C>[] {
    const others = (this.files.get(file) ?? []).map(({ candidate }) => this.passage(candidate));
    const order: Passage<C>[] = [];
    for (const passage of [...[...passages].sort(byEvidence), ...others]) {
      const isShown = order.some(
        ({ candidate }) =>
          byId(candidate, passage.candidate) === 0 ||
          sameContent(candidate, passage.candidate) ||
          overlap(candidate, passage.candidate),
      );
      if (!isShown) order.push(passage);
    }
    return order;
  }
}

/** Returns a passage at the place of another one of its file, whose score it takes over. */
function shownAt<C extends RankCandidate>(
  place: RankedChunk<C>,
  { candidate, lexical, semantic, weights }: Passage<C>,
): RankedChunk<C> {
  const [byTerms, byVector] = [weights.lexical * lexical, weights.semantic * semantic];
  const contributions = [
    { name: 'lexical' as const, value: byTerms },
    { name: 'semantic' as const, value: byVector },
    { name: 'passages' as const, value: place.score - byTerms - byVector },
  ].filter(({ value }) => value !== 0);
  return {
    ...place,
    candidate,
    legs: { lexical, semantic, combined: place.legs.combined },
    ...(place.contributions && { contributions }),
  };
}

function overlap(a: RankCandidate, b: RankCandidate): boolean {
  if (a.startLine === undefined || b.startLine === undefined) return false;
  return a.startLine <= (b.endLine ?? b.startLine) && b.startLine <= (a.endLine ?? a.startLine);
}

function byEvidence(a: Passage<RankCandidate>, b: Passage<RankCandidate>): number {
  if (a.evidence !== b.evidence) return b.evidence - a.evidence;
  return byId(a.candidate, b.candidate);
}
