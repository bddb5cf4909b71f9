import type { ChunkType } from '#contracts';

import type { ChatUsage } from './chat-usage.js';
import type { StructuredModel } from './structured/structured-model.port.js';

/** A passage that an answer may use. */
export interface Evidence {
  /** File path or URL. */
  readonly path: string;
  /** 1-based line of the first line in its file; undefined for content without lines. */
  readonly startLine: number | undefined;
  readonly content: string;
  /** Name of the source; absent if there is none. */
  readonly sourceName?: string | undefined;
  /** Name of the passage in its file: a definition, a heading. */
  readonly symbol?: string | undefined;
  /** Default: code. */
  readonly kind?: ChunkType | undefined;
  /** Language of the passage, as citations show it. */
  readonly language?: string | undefined;
  /** Score of the search; absent where no search compared the passages. */
  readonly score?: number | undefined;
}

export interface ChatTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/**
 * A request to a chat model. The built-in one reads question and evidence, a language model all of
 * it.
 */
export interface ChatRequest {
  readonly instructions: string;
  /** Earlier turns, oldest first. */
  readonly history: readonly ChatTurn[];
  readonly question: string;
  /** The question in a form that needs no earlier turn, if it was asked in another form. */
  readonly standalone?: string | undefined;
  /** Numbered from 1 in this order: an answer cites the third as `[3]`. */
  readonly evidence: readonly Evidence[];
}

/** A non-empty piece of an answer, or its end, which comes once and last. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'end';
      /** Null if the model counts none. */
      readonly usage: ChatUsage | null;
      /** True if the model stopped at its token limit, before the end of its answer. */
      readonly truncated?: boolean;
    };

/** A model that answers in text. */
export interface ChatModel {
  /** Name of the model in answers. */
  readonly id: string;
  /** Answers with objects; absent for a model that cannot. */
  readonly structured?: StructuredModel | undefined;
  /**
   * Streams an answer at the consumer's pace; the request is sent when the first part is read. A
   * failure before the first part may be retried, one after it never, so no text is repeated. A
   * consumer that stops reading ends the request.
   * @throws ModelError if the model fails, also during the answer; the signal's reason if it
   * aborts.
   */
  answer(request: ChatRequest, signal?: AbortSignal): AsyncIterable<ChatPart>;
}

export const CHAT_MODEL = Symbol('ChatModel');
