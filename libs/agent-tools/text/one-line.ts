import { escapeInvisible } from '#retrieval';

/** Returns a name or a path in one line, with invisible characters and line feeds as escapes. */
export function oneLine(text: string): string {
  return escapeInvisible(text).replace(/\n/g, '\\n').replace(/\t/g, ' ');
}
