import type { FoundName } from './definitions.js';
import type { LineSpan } from './limits.js';
import type { LineTable } from './line-table.js';

/** A run of whole lines of a component's file: the inside of a script, or anything else. */
export interface ComponentPart extends LineSpan {
  readonly script: boolean;
}

const OPENING = /^<(script|template|style)\b[^>\n]*(?:>|$)/;

/**
 * The parts of a Vue or Svelte component: its scripts with their tags, and what stands before,
 * between and after them, each template and style apart. The parts tile the file in order. A script
 * that is never closed is no script.
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
 * Tags that open a part stand at the beginning of a line, and so do those that close it, unless on
 * the same one.
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
 * The text with blanks for all but the inside of its scripts, so that what is found in it is found
 * at its place.
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
 * The component that a file is: it has the file's name, unless that is a route's (`+page`, `[id]`)
 * or any folder's.
 */
export function componentName(path: string, lines: LineTable): FoundName[] {
  const parts = path.slice(path.lastIndexOf('/') + 1).split('.');
  const name = parts.slice(0, -1).find((part) => part !== '') ?? '';
  if (!/^[A-Za-z][\w-]*$/.test(name) || name === 'index') return [];
  return [{ kind: 'def', name, nameStart: 0, start: 0, end: lines.text.length }];
}
