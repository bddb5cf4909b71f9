/**
 * Returns the text before the first of the given characters, or the whole text without one. Reads
 * each character once per mark; the pattern `#.*$` would scan the rest of a line again from every
 * `#`.
 * @param marks single characters, such as `?#`.
 */
export function beforeFirst(text: string, marks: string): string {
  let end = text.length;
  for (const mark of marks) {
    const at = text.indexOf(mark);
    if (at !== -1 && at < end) end = at;
  }
  return text.slice(0, end);
}
