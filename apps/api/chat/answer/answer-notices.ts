/** Facts about a finished answer of a model. */
export interface EndedAnswer {
  /** It has words at all. */
  readonly words: boolean;
  /** Number of cited passages. */
  readonly cited: number;
  /** A limit of tokens ended it in its middle. */
  readonly truncated: boolean;
}

/** Returns notices for an answer that looks like any other and is less: sentences, mostly none. */
export function answerNotices({ words, cited, truncated }: EndedAnswer): readonly string[] {
  return [
    ...(words && cited === 0
      ? ['The answer cites none of the passages that were found: nothing shows what it rests on.']
      : []),
    ...(truncated ? ['The answer is cut off: the model reached its limit of tokens.'] : []),
  ];
}
