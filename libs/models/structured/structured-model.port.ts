import type { z } from 'zod';

import type { ChatUsage } from '../chat-usage.js';

/** The budget of the requests of one caller, who counts what they use. */
export interface ModelMeter {
  /** Returns false if a request with so many prompt tokens is over the budget. */
  allows(promptTokens: number): boolean;
  /** Adds a request that a model worked on, also one that was aborted. */
  add(usage: ChatUsage): void;
}

/** An answer that was no use, and why. */
export interface RejectedAnswer {
  readonly text: string;
  /** A sentence for the model. */
  readonly problem: string;
}

/** A request for an object. Everything in `text` is data that was written by others. */
export interface StructuredRequest<Output> {
  /** Name of the object: letters and underscores. */
  readonly name: string;
  readonly schema: z.ZodType<Output>;
  readonly instructions: string;
  readonly text: string;
  /** An earlier answer to the same request, which the model has to repair. */
  readonly rejected?: RejectedAnswer | undefined;
  readonly meter: ModelMeter;
  /** Maximum time including all repetitions. */
  readonly timeoutMs: number;
}

/**
 * `invalid`: the model answered with something else. `over_budget`: the meter allows no request.
 */
export type StructuredAnswer<Output> =
  | { readonly kind: 'answered'; readonly value: Output }
  | ({ readonly kind: 'invalid' } & RejectedAnswer)
  | { readonly kind: 'over_budget' };

/** A model that answers with an object of a schema. */
export interface StructuredModel {
  /**
   * Returns an object that fits the schema. The ways to ask for one are tried in turn: a schema for
   * the answer, a function, JSON alone. A way that the server rejects or ignores counts as failed.
   * @throws ModelError if the model fails; the signal's reason if it aborts.
   */
  ask<Output>(
    request: StructuredRequest<Output>,
    signal: AbortSignal,
  ): Promise<StructuredAnswer<Output>>;
}
