const MIN_FENCE = 3;

/** Returns more backticks in a row than any text has, so that no text can end its own fence. */
export function fenceFor(texts: readonly string[]): string {
  let longest = MIN_FENCE;
  for (const text of texts)
    for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length + 1);
  return '`'.repeat(longest);
}
