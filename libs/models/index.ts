export { measureSimilarity, type MeasuredSimilarity } from './calibration/measure-similarity.js';
export { createEmbedder, type EmbedderContext } from './create-embedder.js';
export { EMBEDDER, type Embedder, type EmbeddingInput } from './embedder.port.js';
export { EmbeddingError, isEmbeddingError, type EmbeddingErrorOptions } from './embedding-error.js';
export { createHashEmbedder } from './hash-embedder.js';
