/** Tokens as counted by the model. */
export interface ChatUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}
