import { escapeInvisible } from '#retrieval';

/**
 * Returns indexed text between two fences. A fence has one backtick more than the longest run of
 * backticks in the text, so the text cannot end it.
 */
export function fenced(content: string, language = ''): string {
  const text = escapeInvisible(content);
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language.replace(/[^\w+#.-]/g, '')}\n${text}\n${fence}`;
}
