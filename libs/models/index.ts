export { measureSimilarity } from './calibration/measure-similarity.js';
export { createChatModel } from './create-chat-model.js';
export { CHAT_MODEL } from './chat-model.port.js';
export type { ChatModel, ChatPart, ChatRequest, ChatTurn, Evidence } from './chat-model.port.js';
export type { ChatUsage } from './chat-usage.js';
export type {
  ModelMeter,
  RejectedAnswer,
  StructuredModel,
} from './structured/structured-model.port.js';
export { createEmbedder, createLocalEmbedders } from './create-embedder.js';
export {
  EMBEDDER,
  type Embedder,
  type EmbeddingInput,
  type PlacedVector,
} from './embedder.port.js';
export { createReranker } from './create-reranker.js';
export { RERANKER, type Reranker } from './rerank/reranker.port.js';
export { SENTENCE_ENCODER, type SentenceEncoder } from './sentence/sentence-encoder.port.js';
export { ModelError, isModelError } from './model-error.js';
export { createExtractiveChat } from './extractive-chat.js';
export { createHashEmbedder, createLocalEmbedder } from './local/local-embedder.js';
export {
  BUILT_IN_MODEL_IDS,
  findLocalModel,
  localModel,
  type LocalModelAddress,
} from './local/local-models.js';
export { decodeModelFile, encodeModelFile } from './local/model-file.js';
export { ModelFileError, type ModelFileHeader } from './local/model-file-header.js';
