import { decodeModelFile, encodeModelFile, type ModelFileHeader } from '#models';
import {
  analyze,
  ANALYZER_ID,
  createMeaningModel,
  embedMeaning,
  featureHash,
  type LocalModel,
  meaningEmbedder,
  type MeaningModel,
  TERM_VECTORS,
  TermVectors,
} from '#retrieval';

/** A header with small numbers. */
export const TERM_MODEL_HEADER: ModelFileHeader = {
  id: 'words-of-tests',
  origin: 'Random indexing over texts of a test.',
  licence: 'Apache-2.0',
  teacher: 'none',
  dimensions: 64,
  hashedDimensions: 64,
  share: 0.8,
  analyzer: ANALYZER_ID,
  pieceSizes: [3, 4, 5],
};

/**
 * A model of vectors that a test defines, loaded through its file. By default it has the usual
 * memory of unknown terms.
 */
export function termModel(
  vectors: Iterable<readonly [key: string, vector: Float32Array]>,
  header: ModelFileHeader = TERM_MODEL_HEADER,
  maxComposed?: number,
): MeaningModel {
  const { tables } = decodeModelFile(encodeModelFile(header, vectors));
  const { dimensions, hashedDimensions, share } = header;
  return createMeaningModel({
    vectors: new TermVectors(tables, maxComposed),
    dimensions,
    hashedDimensions,
    share,
  });
}

/** The same model of 16 dimensions, in addition to 32 hashed ones. */
export function localTermModel(
  vectors: Iterable<readonly [key: string, vector: Float32Array]>,
): LocalModel {
  const header = { ...TERM_MODEL_HEADER, dimensions: 16, hashedDimensions: 32 };
  const model = termModel(vectors, header);
  return {
    id: header.id,
    dimensions: 48,
    profile: TERM_VECTORS,
    embed: (terms, frequencies) => embedMeaning(model, terms, frequencies),
    over: (terms) => meaningEmbedder(model, terms),
  };
}

/** Dimensions that each text has. */
const PER_TEXT = 8;
/** Texts that a term or piece has to be in. */
const LEAST_TEXTS = 2;

/**
 * Writes a model file from texts alone, by random indexing. Each text has a few signed dimensions
 * of its own. A term or piece is the sum of those of its texts, weighted by rarity. So terms of the
 * same texts are close to each other.
 */
export function termModelFile(
  texts: readonly string[],
  header: Partial<ModelFileHeader> = {},
): Uint8Array {
  const whole = { ...TERM_MODEL_HEADER, ...header };
  const places = new Map<string, Set<number>>();
  texts.forEach((text, at) => {
    for (const term of new Set(analyze(text))) {
      for (const key of [term, ...piecesOf(term, whole.pieceSizes)]) {
        places.set(key, (places.get(key) ?? new Set()).add(at));
      }
    }
  });
  const common = [...places].filter(([, { size }]) => size >= Math.min(LEAST_TEXTS, texts.length));
  return encodeModelFile(
    whole,
    common
      .map(([key, at]) => [key, vectorOf(at, texts.length, whole.dimensions)] as const)
      .filter(([, vector]) => vector.some((value) => value !== 0)),
  );
}

function piecesOf(term: string, sizes: readonly number[]): string[] {
  const marked = `<${term}>`;
  return sizes.flatMap((size) =>
    Array.from(
      { length: Math.max(0, marked.length - size + 1) },
      (_, at) => `#${marked.slice(at, at + size)}`,
    ),
  );
}

function vectorOf(places: ReadonlySet<number>, texts: number, dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const text of places) {
    for (let nth = 0; nth < PER_TEXT; nth++) {
      const hash = featureHash(String(text), nth + 1);
      const at = hash % dimensions;
      sum[at] = (sum[at] as number) + (hash & 0x10000 ? 1 : -1);
    }
  }
  const weight = Math.log(1 + texts / places.size) / Math.hypot(...sum, 1e-9);
  return sum.map((value) => value * weight);
}
