export {
  ApiError,
  ConnectionError,
  type ErrorCode,
  type ErrorOfCode,
  type FieldProblem,
  isApiError,
} from './api-error.js';
export type { Call, CallSettings, FullAnswer, InputOf, Outcome } from './call.types.js';
export type { ClientOptions } from './client-options.js';
export { createClient, type FootnoteClient } from './create-client.js';
export { every, type NextParameter } from './every.js';
export type {
  ChatEvent,
  FeedEvent,
  JobEvent,
  ResumeSettings,
  RoverEvent,
  Streams,
} from './streams/create-streams.js';
