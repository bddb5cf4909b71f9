/** An answer of the witness over HTTP. */
export interface WitnessAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Returns an answer in plain text. */
export function text(status: number, body: string): WitnessAnswer {
  return { status, type: 'text/plain; charset=utf-8', body };
}
