/** An entry of an answer, as the endpoint wrote it: nothing of it is checked yet. */
export interface AnswerEntry {
  readonly index: unknown;
  readonly score: unknown;
}

/** The bodies of requests and answers of one kind of endpoint. */
export interface RerankFormat {
  /** Maximum passages of one request. */
  readonly maxTexts: number;
  /** Returns the body of a request. */
  body(model: string, query: string, texts: readonly string[]): object;
  /** Returns the entries of an answer; undefined for an answer of another form. */
  entries(answer: unknown): readonly AnswerEntry[] | undefined;
}

/** Returns a field of a value that may be anything. */
export function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}
