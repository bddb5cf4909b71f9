import { analyzeQuery, rank } from '#retrieval';
import { CandidateInput } from '#retrieval/ranking/candidate-input';
import type { RankCandidate, RankOptions } from '#retrieval/ranking/rank.types';
import { RankTable } from '#retrieval/ranking/rank-table';

/** Options with equal weights for one repository. */
export const OPTIONS: RankOptions = {
  profileOf: () => ({
    weights: { lexical: 0.5, semantic: 0.5 },
    similarityFloor: 0.25,
    similarityRange: { low: 0, high: 1 },
  }),
  sourceOf: () => ({ priority: 1, isRepository: true, isStale: false, syncedAt: 0 }),
};
export const STATISTICS = { chunks: 100, averageLength: 100, documentFrequencies: [10, 10] };
/** Two terms, of which a candidate has the first by default. */
export const QUERY = analyzeQuery('close connections');

let next = 0;
/** Fields of a candidate; `defs` are the names that it defines. */
export type CandidateFields = Partial<RankCandidate> & { readonly defs?: readonly string[] };
/** Returns a candidate of a file of its own. */
export function candidate({ defs = [], ...fields }: CandidateFields = {}): RankCandidate {
  next++;
  return {
    chunkId: `chunk-${next}`,
    sourceId: 'source',
    path: `src/file-${next}.ts`,
    defines: (name) => defs.includes(name),
    chunkType: 'code',
    startLine: 1,
    endLine: 9,
    contentHash: `hash-${next}`,
    termFrequencies: [1, 0],
    length: 100,
    cosine: 0.3,
    cosineModel: 'model',
    ...fields,
  };
}

/** Returns the paths of the ranked candidates. */
export function paths(
  candidates: readonly RankCandidate[],
  query = QUERY,
  options = OPTIONS,
): string[] {
  return rank(query, candidates, STATISTICS, options).map(({ candidate: { path } }) => path);
}

/** Returns candidates as the table of a ranking, for tests of single steps. */
export function tableOf(fields: readonly CandidateFields[]): RankTable {
  const input = new CandidateInput(fields.map(candidate));
  return new RankTable(input, QUERY, STATISTICS, {
    ...OPTIONS,
    sourceOf: (group) => OPTIONS.sourceOf(input.sourceId(group)),
  });
}
