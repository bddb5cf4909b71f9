import type { FoundName } from './definitions.js';
import { CHUNK_LIMITS, type LineSpan } from './limits.js';
import type { LineTable } from './line-table.js';
import type { Outline } from './outlines.js';
import { packBlocks } from './pack-blocks.js';
import { SpanCollector } from './span-collector.js';

/**
 * Maximum number of definitions. Files that people read have fewer; the limit bounds memory for
 * generated ones.
 */
const MAX_FOUND = 20_000;

/** Maximum characters of a line that the patterns examine: a definition is at its start. */
const MOST_LOOKED_AT = 400;

/**
 * Definition with the comments right above it and all lines with more indentation, up to its
 * closing bracket.
 */
interface Entry {
  readonly first: number;
  readonly line: number;
  last: number;
  readonly indent: number;
  readonly parts: Entry[];
}

/**
 * Cuts by lines that look like definitions, and names them, for indented languages without an
 * available grammar. Whole definitions are packed up to the target size. A larger one is cut where
 * its parts start, and the text between them at blank lines. The ranges tile the file in order.
 */
export function outlineLines(
  lines: LineTable,
  outline: Outline,
): { readonly spans: LineSpan[]; readonly names: FoundName[] } {
  const found = read(lines, outline);
  const collector = new SpanCollector(lines);
  place(collector, lines, { first: 0, last: lines.count - 1 }, found.entries);
  return { spans: collector.toLineSpans(), names: found.names };
}

function read(lines: LineTable, outline: Outline): { entries: Entry[]; names: FoundName[] } {
  const bare = lines.text.replace(outline.opaque, (text) => text.replace(/[^\n]/g, ' '));
  const rows = bare.split('\n').slice(0, lines.count);
  const entries: Entry[] = [];
  const names: {
    readonly entry?: Entry;
    readonly name: Omit<FoundName, 'end'>;
    readonly line: number;
  }[] = [];
  const open: Entry[] = [];
  let seen = -1;
  for (const [line, row] of rows.entries()) {
    if (row.trim() === '') continue;
    const indent = /^\s*/.exec(row)?.[0].length ?? 0;
    const closes = CLOSER.test(row);
    while ((open.at(-1)?.indent ?? -1) >= indent) {
      const ended = open.pop();
      if (ended !== undefined)
        ended.last = closes && ended.indent === indent ? line : Math.max(ended.line, seen);
    }
    seen = line;
    const match =
      names.length < MAX_FOUND ? definedIn(row.slice(0, MOST_LOOKED_AT), outline) : undefined;
    if (match === undefined) continue;
    const name = {
      kind: match.kind,
      name: match.name,
      nameStart: lines.startOf(line) + match.at,
      start: lines.startOf(line),
    };
    if (match.kind === 'const') {
      names.push({ name, line });
      continue;
    }
    const around = open.at(-1);
    const entry: Entry = {
      first: leadOf(lines, rows, line, around?.line ?? -1),
      line,
      last: line,
      indent,
      parts: [],
    };
    (around?.parts ?? entries).push(entry);
    open.push(entry);
    names.push({ entry, name, line });
  }
  for (const entry of open) entry.last = lines.count - 1;
  return {
    entries,
    names: names.map(({ entry, name, line }) => ({
      ...name,
      end: lines.endOf(entry?.last ?? line),
    })),
  };
}

const CLOSER = /^\s*[})\]]/;

function definedIn(
  row: string,
  outline: Outline,
): { readonly kind: FoundName['kind']; readonly name: string; readonly at: number } | undefined {
  for (const { kind, pattern } of outline.lines) {
    const match = pattern.exec(row);
    const name = match?.groups?.['name'];
    if (match !== null && name !== undefined) return { kind, name, at: match[0].lastIndexOf(name) };
  }
  return undefined;
}

/** Returns the first line of the comments right above a definition. */
function leadOf(lines: LineTable, rows: readonly string[], line: number, above: number): number {
  let first = line;
  while (first - 1 > above && rows[first - 1]?.trim() === '' && !lines.isBlank(first - 1))
    first -= 1;
  return first;
}

function place(
  collector: SpanCollector,
  lines: LineTable,
  range: LineSpan,
  entries: readonly Entry[],
): void {
  const offset = (line: number): number => lines.startOf(line);
  const rest = (first: number, last: number): void => {
    if (first > last) return;
    for (const span of packBlocks(lines, { first, last }))
      collector.add(offset(span.first), offset(span.last + 1));
  };
  let next = range.first;
  for (const entry of entries) {
    const first = Math.max(entry.first, next);
    rest(next, first - 1);
    next = entry.last + 1;
    if (lines.length(first, entry.last) <= CHUNK_LIMITS.targetCharacters)
      collector.add(offset(first), offset(next));
    else {
      collector.flush();
      place(collector, lines, { first, last: entry.last }, entry.parts);
    }
  }
  rest(next, range.last);
}
