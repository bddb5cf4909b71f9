import type { ChunkDefinition, ChunkMember, DefinitionKind } from '#contracts';

import type { ChunkNames } from './finish-chunks.js';
import type { LineSpan } from './limits.js';
import type { LineTable } from './line-table.js';

/**
 * Name found in a file, before its place among the others is known. Offsets are UTF-16 units, `end`
 * exclusive.
 */
export interface FoundName {
  /**
   * Kind of name. `const` names a chunk only if nothing else does. `scope` qualifies the names
   * inside and defines nothing. `member` is a field or property of a type. `assigned` is the same
   * if it is the first of its name in a class.
   */
  readonly kind: 'def' | 'const' | 'scope' | 'member' | 'assigned';
  readonly name: string;
  /**
   * Qualifier of the name outside of its owner: `Server` of a Go method, `A` of a Ruby `class
   * A::B`.
   */
  readonly owner?: string | undefined;
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
  /** Kind that the syntax shows; a function in a type becomes a method. */
  readonly of?: DefinitionKind | undefined;
}

/** Definition with lines that are 0-based and inclusive. */
interface Definition {
  readonly name: string;
  readonly symbol: string;
  readonly of: DefinitionKind;
  readonly nameStart: number;
  readonly nameLine: number;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly constant: boolean;
}

/** Member with its place; `nameLine` is 0-based. */
interface Member {
  readonly nameLine: number;
  readonly member: ChunkMember;
}

/**
 * Maximum number of levels in a symbol. It shows the innermost ones, so that deeply nested closures
 * stay readable.
 */
const MAX_LEVELS = 6;
const MAX_DEFS = 500;
/** Line of a comment, or an attribute or decorator on its own line. */
const LEAD = /^\s*(?:\/\/|\/\*|\*|#|--|@|\[.*\]\s*$)/;

/** Comment lines, attributes and decorators directly above a definition. */
interface Lead {
  readonly firstLine: number;
  readonly lastLine: number;
  /** Symbol of the definition. */
  readonly symbol: string;
}

/** Definitions of a file, looked up by lines. */
export class Definitions {
  private readonly all: readonly Definition[];
  private readonly members: readonly Member[];
  private readonly leads: readonly Lead[];

  constructor(
    found: readonly FoundName[],
    private readonly lines: LineTable,
  ) {
    const { definitions, members } = qualify(found, lines);
    this.all = definitions;
    this.members = members;
    this.leads = leadsOf(this.all, lines);
  }

  /**
   * Returns the names that the lines define, with their places. The symbol is that of the first
   * definition there. Otherwise it is that of the definition directly below lines that are all
   * comments, or that of the innermost enclosing one.
   */
  namesOf(span: LineSpan): ChunkNames {
    const inside = this.all.filter(
      (item) => item.nameLine >= span.first && item.nameLine <= span.last,
    );
    const defs = [...new Set(inside.map((item) => item.name))].slice(0, MAX_DEFS);
    const symbol = (
      inside.find((item) => !item.constant) ??
      (inside.length === 0 ? this.leadWith(span) : undefined) ??
      this.all.findLast(
        (item) => !item.constant && item.firstLine <= span.first && item.lastLine >= span.first,
      ) ??
      inside[0]
    )?.symbol;
    const placed = inside.slice(0, MAX_DEFS).map((item) => this.placed(item, span));
    const members = this.members
      .filter(({ nameLine }) => nameLine >= span.first && nameLine <= span.last)
      .slice(0, MAX_DEFS)
      .map(({ member }) => member);
    return {
      ...(symbol !== undefined && { symbol }),
      defs,
      ...(placed.length > 0 && { definitions: placed }),
      ...(members.length > 0 && { members }),
    };
  }

  /** Returns the comment that contains the whole span, if it is directly above a definition. */
  private leadWith({ first, last }: LineSpan): Lead | undefined {
    return this.leads.find((lead) => lead.firstLine <= first && last <= lead.lastLine);
  }

  /**
   * Returns the lines of a definition inside the span, with the comments and attributes directly
   * above it.
   */
  private placed(definition: Definition, span: LineSpan): ChunkDefinition {
    const { name, symbol, firstLine, lastLine, nameLine, nameStart } = definition;
    const first = leadStart(Math.max(firstLine, span.first), span.first, this.lines);
    return {
      name,
      symbol,
      start_line: first + 1,
      end_line: Math.min(lastLine, span.last) + 1,
      place: {
        kind: definition.of,
        line: nameLine + 1,
        column: nameStart - this.lines.startOf(nameLine) + 1,
        last_line: Math.max(lastLine, nameLine) + 1,
      },
    };
  }
}

/** Returns the first of the comment lines directly above a line, none before `least`. */
function leadStart(line: number, least: number, lines: LineTable): number {
  let first = line;
  while (first > least && LEAD.test(lines.slice(first - 1, first - 1))) first -= 1;
  return first;
}

/** Returns the comments above definitions, each line read once. */
function leadsOf(definitions: readonly Definition[], lines: LineTable): Lead[] {
  const leads = new Map<number, Lead>();
  for (const { firstLine, symbol, constant } of definitions) {
    if (constant || leads.has(firstLine)) continue;
    const first = leadStart(firstLine, 0, lines);
    leads.set(firstLine, { firstLine: first, lastLine: firstLine - 1, symbol });
  }
  return [...leads.values()].filter(({ firstLine, lastLine }) => firstLine <= lastLine);
}

/** Definition, scope or member around the next name. */
interface Surrounding {
  readonly start: number;
  readonly end: number;
  readonly path: readonly string[];
  readonly holdsMethods: boolean;
  readonly isMember: boolean;
}

/**
 * Assigns each definition its `Class.method`: the enclosing definitions and scopes, its owner, its
 * name. Members surround other members alone, so that definitions do not depend on them.
 */
function qualify(
  found: readonly FoundName[],
  lines: LineTable,
): { readonly definitions: Definition[]; readonly members: Member[] } {
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end);
  const around: Surrounding[] = [];
  const definitions: Definition[] = [];
  const members: Member[] = [];
  /** Symbols of the members so far. */
  const known = new Set<string>();
  for (const item of sorted) {
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= item.start) around.pop();
    if (item.kind === 'member' || item.kind === 'assigned') {
      const owner = ownerOf(item, around);
      if (!owner) continue;
      const path = [...owner.path, item.name].slice(-MAX_LEVELS);
      const { start, end } = item;
      around.push({ start, end, path, holdsMethods: false, isMember: true });
      const symbol = path.join('.');
      if (item.kind === 'assigned' && known.has(symbol)) continue;
      known.add(symbol);
      members.push(memberOf(item, path, lines));
      continue;
    }
    const outer = around.findLast((each) => !each.isMember);
    const path = [...(outer?.path ?? []), ...(item.owner ? [item.owner] : []), item.name].slice(
      -MAX_LEVELS,
    );
    const isMember = item.owner !== undefined || outer?.holdsMethods === true;
    const holdsMethods = item.kind === 'scope' ? item.of !== 'module' : hasMethods(item.of);
    if (item.kind !== 'const')
      around.push({ start: item.start, end: item.end, path, holdsMethods, isMember: false });
    if (item.kind === 'scope') continue;
    definitions.push({
      name: item.name,
      symbol: path.join('.'),
      of: kindOf(item, isMember),
      nameStart: item.nameStart,
      nameLine: lines.lineAt(item.nameStart),
      firstLine: lines.lineAt(item.start),
      lastLine: lines.lineAt(Math.max(item.end - 1, item.start)),
      constant: item.kind === 'const',
    });
  }
  return { definitions, members };
}

/**
 * Returns what a member belongs to: the innermost surrounding, or the class that it is part of.
 * Names of one declaration (`int a, b;`) do not surround each other.
 */
function ownerOf(
  { kind, start, end }: FoundName,
  around: readonly Surrounding[],
): Surrounding | undefined {
  if (kind === 'assigned') return around.findLast(({ holdsMethods }) => holdsMethods);
  return around.findLast((each) => !each.isMember || each.start !== start || each.end !== end);
}

function memberOf(item: FoundName, path: readonly string[], lines: LineTable): Member {
  const { name, nameStart, start, end, of } = item;
  const nameLine = lines.lineAt(nameStart);
  const member: ChunkMember = {
    name,
    parent: path.slice(0, -1).join('.'),
    kind: of === 'constant' ? 'constant' : 'property',
    line: nameLine + 1,
    column: nameStart - lines.startOf(nameLine) + 1,
    last_line: Math.max(lines.lineAt(Math.max(end - 1, start)), nameLine) + 1,
  };
  return { nameLine, member };
}

const TYPES_WITH_METHODS: ReadonlySet<DefinitionKind> = new Set([
  'class',
  'interface',
  'enum',
  'struct',
  'trait',
]);

function hasMethods(of: DefinitionKind | undefined): boolean {
  return of !== undefined && TYPES_WITH_METHODS.has(of);
}

function kindOf({ of, kind }: FoundName, isMember: boolean): DefinitionKind {
  if (of === 'function' && isMember) return 'method';
  return of ?? (kind === 'const' ? 'constant' : 'definition');
}
