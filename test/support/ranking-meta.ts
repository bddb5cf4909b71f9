import type { RankingMeta } from '#search-index/opensearch/ranking-data';

/** Ranking data of a chunk of tenant `t` and source `s`, without its path. */
export const RANKING_META: Omit<RankingMeta, 'path'> = {
  chunk_id: '00000000-0000-5000-8000-000000000000',
  tenant_id: 't',
  source_id: 's',
  embedder: 'model',
  ordinal: 0,
  content_hash: 'ab',
  token_count: 5,
  defs: [],
  chunk_type: 'code',
  language: 'typescript',
  length: 17,
};
