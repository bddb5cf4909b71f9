export { measureSimilarity, type MeasuredSimilarity } from './calibration/measure-similarity.js';
export { createEmbedder, type EmbedderContext } from './create-embedder.js';
export { EMBEDDER, type Embedder, type EmbeddingInput } from './embedder.port.js';
export { ModelError, isModelError } from './model-error.js';
export { createHashEmbedder } from './hash-embedder.js';
