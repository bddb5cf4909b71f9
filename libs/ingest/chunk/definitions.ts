import type { Node, Query } from 'web-tree-sitter';

import type { LineTable } from './line-table.js';
import type { RowRange } from './limits.js';
import type { ChunkNames } from './finish-chunks.js';

/** One name that a file defines. Rows are 0-based and inclusive. */
interface Definition {
  readonly name: string;
  /** `Class.method`: the enclosing definitions and scopes, then the name. */
  readonly symbol: string;
  readonly nameRow: number;
  readonly firstRow: number;
  readonly lastRow: number;
  /** Constants name a chunk only where nothing else does. */
  readonly constant: boolean;
}

interface Found {
  readonly kind: 'def' | 'const' | 'scope';
  readonly name: string;
  readonly owner: string | undefined;
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
}

const MAX_NAME = 200;
/** Symbols show the innermost levels only, so that deeply nested closures stay readable. */
const MAX_LEVELS = 6;

/** The definitions of a file, asked by rows. */
export class Definitions {
  private readonly all: readonly Definition[];

  constructor(root: Node, query: Query, lines: LineTable) {
    this.all = qualify(findAll(root, query), lines);
  }

  /** Names defined in the rows; the symbol is that of the first definition there, else of the innermost around them. */
  namesOf(rows: RowRange): ChunkNames {
    const inside = this.all.filter((item) => item.nameRow >= rows.first && item.nameRow <= rows.last);
    const defs = [...new Set(inside.map((item) => item.name))];
    const symbol = (
      inside.find((item) => !item.constant) ??
      this.all.findLast((item) => !item.constant && item.firstRow <= rows.first && item.lastRow >= rows.first) ??
      inside[0]
    )?.symbol;
    return symbol === undefined ? { defs } : { symbol, defs };
  }
}

function findAll(root: Node, query: Query): Found[] {
  const found = new Map<string, Found>();
  for (const match of query.matches(root)) {
    let body: { kind: Found['kind']; node: Node } | undefined;
    let name: Node | undefined;
    let owner: string | undefined;
    for (const { name: capture, node } of match.captures) {
      if (capture === 'name') name = node;
      else if (capture === 'owner') owner = node.text;
      else if (capture === 'def' || capture === 'const' || capture === 'scope') body = { kind: capture, node };
    }
    if (body === undefined || name === undefined) continue;
    const text = cleanName(name.text);
    if (text === '') continue;
    const item: Found = {
      kind: body.kind,
      name: text,
      owner: owner === undefined ? undefined : cleanName(owner),
      nameStart: name.startIndex,
      start: body.node.startIndex,
      end: body.node.endIndex,
    };
    const key = `${item.nameStart}`;
    const earlier = found.get(key);
    if (earlier === undefined || rank(item) > rank(earlier)) found.set(key, item);
  }
  return [...found.values()].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Where two patterns name the same place, the one that says more wins. */
function rank(item: Found): number {
  return (item.kind === 'const' ? 0 : 2) + (item.owner === undefined ? 0 : 1);
}

function qualify(found: readonly Found[], lines: LineTable): Definition[] {
  const around: { readonly end: number; readonly path: readonly string[] }[] = [];
  const definitions: Definition[] = [];
  for (const item of found) {
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= item.start) around.pop();
    const outer = around.at(-1)?.path ?? [];
    const path = [...outer, ...(item.owner ? item.owner.split('.') : []), item.name].slice(-MAX_LEVELS);
    if (item.kind !== 'const') around.push({ end: item.end, path });
    if (item.kind === 'scope') continue;
    definitions.push({
      name: item.name,
      symbol: path.join('.'),
      nameRow: lines.rowAt(item.nameStart),
      firstRow: lines.rowAt(item.start),
      lastRow: lines.rowAt(Math.max(item.end - 1, item.start)),
      constant: item.kind === 'const',
    });
  }
  return definitions;
}

/** Names come without quotes, sigils and type arguments; `a::b` and `a\\b` read `a.b`. */
function cleanName(text: string): string {
  return text
    .slice(0, MAX_NAME)
    .replace(/<[^<>]*>$/, '')
    .replace(/::|\\/g, '.')
    .replace(/^["'`:*&\s]+|["'`\s]+$/g, '')
    .replace(/\s+/g, ' ');
}
