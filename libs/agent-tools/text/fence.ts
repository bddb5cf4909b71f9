import { escapeInvisible, fenceFor } from '#retrieval';

/** Returns indexed text between two fences, which the text cannot end. */
export function fenced(content: string, language = ''): string {
  const text = escapeInvisible(content);
  const fence = fenceFor([text]);
  return `${fence}${language.replace(/[^\w+#.-]/g, '')}\n${text}\n${fence}`;
}
