/** The generations of one source that were dropped. */
export type GenerationState =
  { readonly status: 'untouched' } | { readonly status: 'pruned'; readonly dropped: ReadonlySet<number> };
