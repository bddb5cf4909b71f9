import type { FoundName } from './definitions.js';
import type { LineSpan } from './limits.js';
import type { LineTable } from './line-table.js';

/** Run of whole lines in a component's file: the inside of a script, or anything else. */
export interface ComponentPart extends LineSpan {
  readonly script: boolean;
}

const OPENING = /^<(script|template|style)\b[^>\n]*(?:>|$)/;

/**
 * Returns the parts of a Vue or Svelte component: its scripts with their tags, and the text before,
 * between and after them. Each template and style is separate. The parts tile the file in order. An
 * unclosed script is not a script.
 */
export function componentParts(lines: LineTable): ComponentPart[] {
  const parts: ComponentPart[] = [];
  const unclosed = new Set<string>();
  let next = 0;
  const markup = (last: number): void => {
    if (next <= last) parts.push({ first: next, last, script: false });
    next = last + 1;
  };
  for (let line = 0; line < lines.count; line += 1) {
    const tag = OPENING.exec(lines.slice(line, line))?.[1];
    if (tag === undefined || unclosed.has(tag)) continue;
    const last = closing(lines, tag, line);
    if (last === undefined) {
      unclosed.add(tag);
      continue;
    }
    markup(line - 1);
    parts.push({ first: line, last, script: tag === 'script' });
    next = last + 1;
    line = last;
  }
  markup(lines.count - 1);
  return parts;
}

/**
 * Returns the line of the closing tag. Tags that open or close a part are at the start of a line,
 * unless both are on the same line.
 */
function closing(lines: LineTable, tag: string, from: number): number | undefined {
  const close = `</${tag}>`;
  if (lines.slice(from, from).includes(close)) return from;
  for (let line = from + 1; line < lines.count; line += 1) {
    if (lines.text.startsWith(close, lines.startOf(line))) return line;
  }
  return undefined;
}

/**
 * Returns the text with everything except the inside of its scripts blank. Names found in it have
 * their original offsets.
 */
export function scriptsOnly(lines: LineTable, parts: readonly ComponentPart[]): string {
  return parts
    .map(({ first, last, script }) => {
      const text = lines.text.slice(lines.startOf(first), lines.startOf(last + 1));
      if (!script) return blank(text);
      const open = text.indexOf('>') + 1;
      const close = Math.max(text.lastIndexOf('</script>'), open);
      return blank(text.slice(0, open)) + text.slice(open, close) + blank(text.slice(close));
    })
    .join('');
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/**
 * Returns the name of the component in a file. It is the file's name, except for a route's name
 * (`+page`, `[id]`) or `index`.
 */
export function componentName(path: string, lines: LineTable): FoundName[] {
  const parts = path.slice(path.lastIndexOf('/') + 1).split('.');
  const name = parts.slice(0, -1).find((part) => part !== '') ?? '';
  if (!/^[A-Za-z][\w-]*$/.test(name) || name === 'index') return [];
  return [{ kind: 'def', name, nameStart: 0, start: 0, end: lines.text.length }];
}
