export { measureSimilarity, type MeasuredSimilarity } from './calibration/measure-similarity.js';
export { createChatModel, type ChatModelContext } from './create-chat-model.js';
export { CHAT_MODEL } from './chat-model.port.js';
export type { ChatModel, ChatPart, ChatRequest, ChatTurn, ChatUsage, Evidence } from './chat-model.port.js';
export { createEmbedder, type EmbedderContext } from './create-embedder.js';
export { EMBEDDER, type Embedder, type EmbeddingInput, type PlacedVector } from './embedder.port.js';
export { ModelError, isModelError } from './model-error.js';
export { createExtractiveChat } from './extractive-chat.js';
export { createHashEmbedder } from './hash-embedder.js';
