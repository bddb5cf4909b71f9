/** Lines of a definition, 1-based and inclusive. */
export interface DefinitionSpan {
  readonly first: number;
  readonly last: number;
  readonly symbol: string;
}
