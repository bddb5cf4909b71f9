import type { ChunkType } from '#contracts';

/** A passage that an answer may rest on. */
export interface Evidence {
  /** File path or URL. */
  readonly path: string;
  /** 1-based line of the first line in its file; undefined where lines mean nothing. */
  readonly startLine: number | undefined;
  readonly content: string;
  /** Name of the source; absent where there is none. */
  readonly sourceName?: string | undefined;
  /** What the passage is called in its file: a definition, a heading. */
  readonly symbol?: string | undefined;
  /** Default: code. */
  readonly kind?: ChunkType | undefined;
}

export interface ChatTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/**
 * What is asked of a chat model. The built-in one reads question and evidence, a language model all
 * of it.
 */
export interface ChatRequest {
  readonly instructions: string;
  /** Earlier turns, oldest first. */
  readonly history: readonly ChatTurn[];
  readonly question: string;
  /** The question in words that need no earlier turn, where it was asked in others. */
  readonly standalone?: string | undefined;
  /** Numbered from 1 in this order: an answer cites the third as `[3]`. */
  readonly evidence: readonly Evidence[];
}

/** Tokens as the model counts them. */
export interface ChatUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A piece of an answer, never empty, or its end, which comes once and last. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'end';
      /** Null where the model counts none. */
      readonly usage: ChatUsage | null;
      /** The model stopped at its limit of tokens, in the middle of what it had to say. */
      readonly truncated?: boolean;
    };

/** A model that answers in words. */
export interface ChatModel {
  /** What an answer names as its model. */
  readonly id: string;
  /**
   * Streams an answer at the consumer's pace; nothing is asked of the model before the first part
   * is. A failure before the first part may be repeated, one after it never: no text comes twice. A
   * consumer that leaves ends the request.
   * @throws ModelError when the model fails, also in the middle; the signal's reason when that is
   * aborted.
   */
  answer(request: ChatRequest, signal?: AbortSignal): AsyncIterable<ChatPart>;
}

export const CHAT_MODEL = Symbol('ChatModel');
