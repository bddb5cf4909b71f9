export { EMBEDDER, type Embedder, type EmbeddingInput } from './embedder.port.js';
export { createHashEmbedder } from './hash-embedder.js';
