import type { SimilarityRange } from '#retrieval';

/** Properties that a model needs to be used well; each can be configured instead. */
export interface KnownModel {
  readonly dimensions?: number;
  /** Prefix of a query, as in the training of the model. */
  readonly queryPrefix?: string;
  readonly passagePrefix?: string;
  /** Maximum tokens of an input; longer passages are cut. */
  readonly maxInputTokens?: number;
  /** True if the request may contain a number of dimensions. */
  readonly takesDimensions?: boolean;
  readonly similarityRange?: SimilarityRange;
}

const SEARCH_PASSAGES = 'Represent this sentence for searching relevant passages: ';

/**
 * The first entry whose pattern matches the name without its owner, lower case, is used. Ranges are
 * starting values: see docs/embeddings.md.
 */
const MODELS: readonly (readonly [RegExp, KnownModel])[] = [
  [
    /^text-embedding-3-small/,
    { dimensions: 1536, takesDimensions: true, similarityRange: { low: 0.1, high: 0.6 } },
  ],
  [
    /^text-embedding-3-large/,
    { dimensions: 3072, takesDimensions: true, similarityRange: { low: 0.1, high: 0.6 } },
  ],
  [/^text-embedding-ada-002/, { dimensions: 1536, similarityRange: { low: 0.7, high: 0.9 } }],
  [/^(multilingual-)?e5-small/, e5(384)],
  [/^(multilingual-)?e5-base/, e5(768)],
  [/^(multilingual-)?e5-large(?!-instruct)/, e5(1024)],
  [
    /^coderankembed/,
    { dimensions: 768, queryPrefix: 'Represent this query for searching relevant code: ' },
  ],
  [
    /^nomic-embed-text/,
    {
      dimensions: 768,
      queryPrefix: 'search_query: ',
      passagePrefix: 'search_document: ',
      maxInputTokens: 2048,
    },
  ],
  [/^bge-small-en/, bge(384)],
  [/^bge-base-en/, bge(768)],
  [/^bge-large-en/, bge(1024)],
  [/^bge-m3/, { dimensions: 1024 }],
  [/^mxbai-embed-large/, { dimensions: 1024, queryPrefix: SEARCH_PASSAGES, maxInputTokens: 512 }],
];

/** @param model name at the endpoint: `intfloat/e5-base-v2`, `nomic-embed-text:latest`. */
export function knownModel(model: string): KnownModel {
  const name = (model.split('/').at(-1) ?? model).toLowerCase();
  return MODELS.find(([pattern]) => pattern.test(name))?.[1] ?? {};
}

function e5(dimensions: number): KnownModel {
  return {
    dimensions,
    queryPrefix: 'query: ',
    passagePrefix: 'passage: ',
    maxInputTokens: 512,
    similarityRange: { low: 0.7, high: 0.9 },
  };
}

function bge(dimensions: number): KnownModel {
  return {
    dimensions,
    queryPrefix: SEARCH_PASSAGES,
    maxInputTokens: 512,
    similarityRange: { low: 0.4, high: 0.8 },
  };
}
