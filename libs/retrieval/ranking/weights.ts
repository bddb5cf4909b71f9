/**
 * Version of the ranking. Receipts record it, so raise it with each change of scores or order: of a
 * weight, of a step, of collapsing.
 */
export const RANKING_VERSION = 8;

/** A number that determines the order of results. */
export interface RankingWeight {
  readonly value: number;
  /** Smallest and largest value for which the guarantees of the step hold. */
  readonly range: readonly [min: number, max: number];
  /** The step of `rank()`, or the part of the base score, that uses it. */
  readonly step: RankingWeightStep;
  /** Effect and reason, as one or two sentences. */
  readonly meaning: string;
}

export const RANKING_WEIGHT_STEPS = [
  'terms',
  'profiles',
  'names',
  'coherence',
  'coverage',
  'priors',
  'answerability',
  'priority',
  'saturation',
  'passages',
  'sentences',
  'reranker',
] as const;
export type RankingWeightStep = (typeof RANKING_WEIGHT_STEPS)[number];

/**
 * All weights of ranking, in the order of the steps. `docs/ranking-weights.md` is written from this
 * table.
 */
export const RANKING_WEIGHTS = {
  termSaturation: {
    value: 1.2,
    range: [0, 3],
    step: 'terms',
    meaning: '`k1` of BM25: how much repeated terms add.',
  },
  lengthNormalization: {
    value: 0.75,
    range: [0, 1],
    step: 'terms',
    meaning: '`b` of BM25: how much long chunks lose.',
  },
  sentenceFromTerms: {
    value: 3,
    range: [1, 64],
    step: 'terms',
    meaning: 'A query with more terms than this starts to count as a sentence.',
  },
  sentenceFullTerms: {
    value: 6,
    range: [2, 64],
    step: 'terms',
    meaning: 'A query with this many terms counts fully as a sentence.',
  },
  hashNgramLexical: {
    value: 0.5,
    range: [0, 1],
    step: 'profiles',
    meaning: 'Weight of terms with word hashing; vectors get the rest.',
  },
  hashNgramFloor: {
    value: 0.2,
    range: [-1, 1],
    step: 'profiles',
    meaning:
      'Cosine from which a chunk without a query term is relevant, with word hashing. Of 23,000 ' +
      'chunks that share no term with a question, 99.9 % are below it.',
  },
  termVectorsLexical: {
    value: 0.5,
    range: [0, 1],
    step: 'profiles',
    meaning: 'Weight of terms with static term vectors; vectors get the rest.',
  },
  termVectorsFloor: {
    value: 0.3,
    range: [-1, 1],
    step: 'profiles',
    meaning: 'Cosine from which a chunk without a query term is relevant, with term vectors.',
  },
  termVectorsNeutralCosine: {
    value: -0.01,
    range: [-1, 1],
    step: 'profiles',
    meaning: 'Mean cosine at which the content is neither likely nor unlikely to answer.',
  },
  termVectorsCosineDeviation: {
    value: 0.1,
    range: [0, 1],
    step: 'profiles',
    meaning: 'Standard deviation of the cosines of a question with all chunks.',
  },
  learnedLexical: {
    value: 0.3,
    range: [0, 1],
    step: 'profiles',
    meaning: 'Weight of terms with a model that is not built in; it finds by meaning.',
  },
  learnedRangeLow: {
    value: 0.2,
    range: [-1, 1],
    step: 'profiles',
    meaning: 'Cosine that counts as 0 for a model without calibration.',
  },
  learnedRangeHigh: {
    value: 0.8,
    range: [-1, 1],
    step: 'profiles',
    meaning: 'Cosine that counts as 1 for a model without calibration.',
  },
  definedName: {
    value: 0.5,
    range: [0, 1],
    step: 'names',
    meaning: 'Boost of a chunk that defines the identifier of the query.',
  },
  definedInOwnFile: {
    value: 0.75,
    range: [0, 1],
    step: 'names',
    meaning: 'Boost of the same in a file of that name.',
  },
  fileOfName: {
    value: 0.2,
    range: [0, 1],
    step: 'names',
    meaning: 'Boost of other chunks of a file with the name of the identifier.',
  },
  pathOfWords: {
    value: 1,
    range: [0, 1],
    step: 'names',
    meaning:
      'Strength of a path match for a query of a few words, which often are the words of a file name.',
  },
  pathOfSentence: {
    value: 0.1,
    range: [0, 1],
    step: 'names',
    meaning:
      'Strength of a path match for a sentence, whose words match a path by chance. ' +
      'A file that it names keeps the strength of a few words.',
  },
  operationOfSentence: {
    value: 0.4,
    range: [0, 1],
    step: 'names',
    meaning:
      'The same for the name of an operation, which describes it, and a sentence without a name.',
  },
  pathOverEvidence: {
    value: 3,
    range: [0, 10],
    step: 'names',
    meaning: 'A path raises a chunk by at most this multiple of its own score.',
  },
  unmatchedFileName: {
    value: 0.2,
    range: [0, 1],
    step: 'names',
    meaning:
      'Share of a path match that is lost when the query names none of the words of the file name.',
  },
  unmatchedOperationName: {
    value: 0.5,
    range: [0, 1],
    step: 'names',
    meaning: 'The same for the name of an operation: similar operations are many.',
  },
  minPrefix: {
    value: 3,
    range: [1, 40],
    step: 'names',
    meaning: 'Characters from which the beginning of a word matches the word.',
  },
  minCommonPrefix: {
    value: 4,
    range: [1, 40],
    step: 'names',
    meaning: 'Characters that two words of one family have in common at least.',
  },
  commonPrefixShare: {
    value: 0.7,
    range: [0, 1],
    step: 'names',
    meaning:
      'Share of the longer word that a common beginning covers: `validation` and `validator` match, `connect` and `connemara` do not.',
  },
  mentionedDefinition: {
    value: 0.2,
    range: [0, 1],
    step: 'names',
    meaning: 'Boost of a chunk that defines a name which the query mentions.',
  },
  commonNameShare: {
    value: 0.5,
    range: [0, 1],
    step: 'names',
    meaning:
      'Share of chunks beyond which a capitalized word is the name of the project, not of a definition.',
  },
  requestedFile: {
    value: 0.75,
    range: [0, 1],
    step: 'names',
    meaning: 'Boost of a file that the query gives by its path.',
  },
  requestedOperation: {
    value: 0.75,
    range: [0, 1],
    step: 'names',
    meaning: 'Boost of an endpoint or operation that the query spells out.',
  },
  coherence: {
    value: 0.4,
    range: [0, 1],
    step: 'coherence',
    meaning: 'Boost of the best chunk of the strongest file; weaker files get a share of it.',
  },
  coherenceChunks: {
    value: 4,
    range: [1, 200],
    step: 'coherence',
    meaning: 'Best chunks that count for their file. With more, long files win by their length.',
  },
  coverage: {
    value: 0.4,
    range: [0, 1],
    step: 'coverage',
    meaning: 'Boost of the best chunk of a file that has every term of a sentence.',
  },
  coverageWithName: {
    value: 0.6,
    range: [0, 1],
    step: 'coverage',
    meaning: 'Share of this boost that remains if the sentence contains a name.',
  },
  testPrior: {
    value: 0.3,
    range: [0, 1],
    step: 'priors',
    meaning:
      'Factor for tests, benchmarks and tests in a Rust file, unless the query is about a test.',
  },
  bundledPrior: {
    value: 0.3,
    range: [0, 1],
    step: 'priors',
    meaning:
      'Factor for code of other projects in folders such as `third_party`, unless the query names it.',
  },
  sidePrior: {
    value: 0.3,
    range: [0, 1],
    step: 'priors',
    meaning: 'Factor for code in folders of examples, documentation or deprecated code.',
  },
  declarationPrior: {
    value: 0.7,
    range: [0, 1],
    step: 'priors',
    meaning: 'Factor for declaration files (`.d.ts`).',
  },
  packageFilePrior: {
    value: 0.5,
    range: [0, 1],
    step: 'priors',
    meaning:
      'Factor for package files (`__init__.py`, `package-info.java`), but for their definitions.',
  },
  prosePrior: {
    value: 0.9,
    range: [0, 1],
    step: 'priors',
    meaning: 'Factor for prose, which shares the words of a question more easily than code does.',
  },
  releaseNotesPrior: {
    value: 0.5,
    range: [0, 1],
    step: 'priors',
    meaning: 'Factor for release notes, which describe a past change.',
  },
  schemaPrior: {
    value: 0.7,
    range: [0, 1],
    step: 'priors',
    meaning: 'Factor for schemas and webhooks of an OpenAPI specification.',
  },
  nearestChunks: {
    value: 200,
    range: [1, 10_000],
    step: 'answerability',
    meaning:
      'Nearest chunks whose mean cosine is compared, as many as the semantic retriever returns.',
  },
  cosineSlope: {
    value: 6,
    range: [0, 100],
    step: 'answerability',
    meaning: 'Log odds that a mean cosine of 1 more adds.',
  },
  maxLogOdds: {
    value: Math.LN2,
    range: [0, 10],
    step: 'answerability',
    meaning: 'Limit of these log odds in both directions: the odds are at most doubled or halved.',
  },
  unmentionedName: {
    value: Math.LN2,
    range: [0, 10],
    step: 'answerability',
    meaning: 'Log odds that a name costs which no chunk mentions.',
  },
  tailCorrection: {
    value: 0.39,
    range: [0, 1],
    step: 'answerability',
    meaning:
      'The mean of the best `k` of `n` normal values is √(2·ln(n/k)) less this above their mean.',
  },
  unweightedPriority: {
    value: 1,
    range: [0, 10],
    step: 'priority',
    meaning: 'Priority of a source whose kind has no weight in the policy (PDF).',
  },
  conversationPriority: {
    value: 1.25,
    range: [0, 10],
    step: 'priority',
    meaning: 'Factor for documents of the conversation: people attach them for this question.',
  },
  secondChunk: {
    value: 0.7,
    range: [0, 1],
    step: 'saturation',
    meaning: 'Share of its score that the second chunk of a file keeps.',
  },
  furtherChunkDecay: {
    value: 0.6,
    range: [0, 1],
    step: 'saturation',
    meaning: 'Share of the factor of the chunk before it that each further chunk of a file keeps.',
  },
  passageFiles: {
    value: 5,
    range: [0, 20],
    step: 'passages',
    meaning: 'First files of a list whose chunks are all ranked; 0 leaves the step out.',
  },
  passageContenders: {
    value: 3,
    range: [1, 20],
    step: 'passages',
    meaning: 'Best chunks of a file by own evidence whose lines are read.',
  },
  passageLexical: {
    value: 0.3,
    range: [0, 1],
    step: 'passages',
    meaning: 'Largest weight of terms inside a file: the window of lines counts them once more.',
  },
  passageWindow: {
    value: 0.25,
    range: [0, 1],
    step: 'passages',
    meaning: 'Weight of the terms that the best eight lines of a passage have together.',
  },
  secondPassage: {
    value: 0.8,
    range: [0, 1],
    step: 'passages',
    meaning:
      'Share of the best score at which a result gives way to the second passage of the first file.',
  },
  secondPassagePlaces: {
    value: 5,
    range: [0, 50],
    step: 'passages',
    meaning: 'First results that it moves up to; 0 leaves it where it is.',
  },
  sentenceSimilarity: {
    value: 0.55,
    range: [0, 0.99],
    step: 'sentences',
    meaning:
      'Similarity from which the sentence encoder counts. The nearest passage has about .71, ' +
      'the hundredth about .63.',
  },
  sentences: {
    value: 0.3,
    range: [0, 4],
    step: 'sentences',
    meaning: 'Share of the nearest passage by the encoder, relative to the best score.',
  },
  sentenceFile: {
    value: 0.5,
    range: [0, 1],
    step: 'sentences',
    meaning: 'Largest share that a chunk starts with if only the encoder finds its file.',
  },
  sentenceFilePlace: {
    value: 10,
    range: [1, 200],
    step: 'sentences',
    meaning: 'Place of the result that also limits this start.',
  },
  sentenceFileOfPlace: {
    value: 0.8,
    range: [0, 1],
    step: 'sentences',
    meaning:
      'The start is at most this part of the share at that place. So such files displace few ' +
      'results where the best one stands out.',
  },
  rerankedChunks: {
    value: 50,
    range: [2, 200],
    step: 'reranker',
    meaning: 'First chunks of the ranking that a reranker reads.',
  },
  rerankRank: {
    value: 10,
    range: [1, 100],
    step: 'reranker',
    meaning:
      "Constant added to the reranker's rank: larger values let source priorities count more than ranks.",
  },
} as const satisfies Readonly<Record<string, RankingWeight>>;

export type RankingWeightName = keyof typeof RANKING_WEIGHTS;

/** Values alone, for the steps. */
export const WEIGHTS = Object.fromEntries(
  Object.entries(RANKING_WEIGHTS).map(([name, { value }]) => [name, value]),
) as Readonly<Record<RankingWeightName, number>>;
