import { FootnoteError } from '#contracts';

export interface EmbeddingErrorOptions {
  /** Trying again later cannot help: the endpoint refuses the request, or answers what cannot be used. */
  readonly permanent?: boolean;
  /** HTTP status of the endpoint's last answer, where there was one. */
  readonly statusCode?: number | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** The embedding model gave no usable vectors. To clients it is an engine that is away; the message holds no text or address. */
export class EmbeddingError extends FootnoteError {
  readonly permanent: boolean;
  readonly statusCode: number | undefined;

  constructor(message: string, { permanent = false, statusCode, retryAfter, cause }: EmbeddingErrorOptions = {}) {
    super('engine_unavailable', message, { retryAfter: retryAfter ?? (permanent ? 300 : 5), cause });
    this.permanent = permanent;
    this.statusCode = statusCode;
  }
}

export function isEmbeddingError(error: unknown): error is EmbeddingError {
  return error instanceof EmbeddingError;
}
