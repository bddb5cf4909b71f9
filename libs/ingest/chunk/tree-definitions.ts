import type { Node, Query, QueryMatch } from 'web-tree-sitter';

import { definitionKind } from './definition-kind.js';
import type { FoundName } from './definitions.js';

const MAX_NAME = 200;
/**
 * Maximum number of definitions, and of members. Files that people read have fewer; the limit
 * bounds memory for generated ones.
 */
const MAX_FOUND = 20_000;
/** Maximum number of open patterns of a query; a broken tree could otherwise have thousands. */
const MATCH_LIMIT = 2_048;
/** Matches between two checks of the budget. */
const ASK_EVERY = 64;

/** Name as it is read; `end` grows with further parts of the definition. */
interface FoundItem extends FoundName {
  end: number;
  /** Parent node of a clause. */
  readonly clauseOf?: number | undefined;
  /** True if a sibling determines the end. */
  readonly ended: boolean;
}

/**
 * Returns the names that a query (see `LanguageQuery`) finds in a tree, one per place: definitions,
 * then members at other places.
 * Returns fewer once `isUsedUp` returns true. The library examines each later sibling of a node
 * repeatedly. A broken tree with all tokens in one node takes quadratic time.
 */
export function definitionsOfTree(
  root: Node,
  query: Query,
  isUsedUp: () => boolean = () => false,
): FoundName[] {
  const found = new Map<number, FoundItem>();
  const members = new Map<number, FoundItem>();
  const clauses = new Map<string, FoundItem>();
  const matches = query.matches(root, { matchLimit: MATCH_LIMIT, progressCallback: isUsedUp });
  for (const [at, match] of matches.entries()) {
    if (at % ASK_EVERY === 0 && isUsedUp()) break;
    const item = read(match);
    if (item === undefined || joins(item, clauses)) continue;
    if (isMember(item)) {
      if (members.size < MAX_FOUND) members.set(item.nameStart, item);
      continue;
    }
    const earlier = found.get(item.nameStart);
    if (earlier === undefined || rank(item) > rank(earlier)) found.set(item.nameStart, item);
    if (found.size >= MAX_FOUND) break;
  }
  for (const at of found.keys()) members.delete(at);
  return [...found.values(), ...members.values()];
}

function isMember({ kind }: FoundName): boolean {
  return kind === 'member' || kind === 'assigned';
}

/**
 * Returns true if the item is a further clause of an earlier definition, and extends that
 * definition to its end.
 */
function joins(item: FoundItem, clauses: Map<string, FoundItem>): boolean {
  if (item.clauseOf === undefined) return false;
  const key = `${String(item.clauseOf)} ${item.name}`;
  const first = clauses.get(key);
  if (first === undefined) clauses.set(key, item);
  else first.end = Math.max(first.end, item.end);
  return first !== undefined;
}

/** Returns the rank of an item. If two patterns name the same place, the more specific one wins. */
function rank(item: FoundItem): number {
  return (
    (item.kind === 'const' ? 0 : 4) + (item.owner === undefined ? 0 : 2) + (item.ended ? 1 : 0)
  );
}

function read(match: QueryMatch): FoundItem | undefined {
  let body: Node | undefined;
  let kind: FoundName['kind'] = 'def';
  let name: Node | undefined;
  let owner: string | undefined;
  let last: Node | undefined;
  let clauseOf: number | undefined;
  let dotted = true;
  let of: FoundName['of'];
  for (const { name: capture, node } of match.captures) {
    if (capture === 'name') name = node;
    else if (capture === 'whole') [name, dotted] = [node, false];
    else if (capture === 'end') last = node;
    else if (capture === 'clause') [body, clauseOf] = [node, node.parent?.id];
    else if (capture === 'owner') owner = cleanName(node.text);
    else if (capture === 'declarator') [body, kind] = declared(node);
    else if (capture === 'def' || capture === 'const' || capture === 'scope')
      [body, kind] = [node, capture];
    else if (capture === 'member' || capture === 'assigned')
      [body, kind, of, dotted] = [node, capture, 'property', false];
    else if (capture === 'constant') [body, kind, of, dotted] = [node, 'member', 'constant', false];
  }
  if (body === undefined || name === undefined) return undefined;
  const text = cleanName(name.text);
  const cut = dotted && QUALIFIED.test(text) ? text.lastIndexOf('.') : -1;
  const plain = text.slice(cut + 1);
  if (plain === '') return undefined;
  const outer = cut > 0 ? text.slice(0, cut) : owner;
  return {
    kind,
    name: plain,
    ...(outer === undefined || outer === '' ? {} : { owner: outer }),
    nameStart: name.startIndex,
    start: body.startIndex,
    end: (last ?? body).endIndex,
    of: of ?? definitionKind(body),
    ended: last !== undefined,
    clauseOf,
  };
}

/** Name of dotted identifiers, as opposed to a computed or quoted key that contains a dot. */
const QUALIFIED = /^[\p{L}\p{N}_$~]+(?:\.[\p{L}\p{N}_$~!?=]+)+$/u;

const DECLARATORS: ReadonlySet<string> = new Set([
  'attributed_declarator',
  'array_declarator',
  'function_declarator',
  'parenthesized_declarator',
  'pointer_declarator',
  'reference_declarator',
]);

/**
 * Returns the node that a C declarator belongs to, and its kind. A function with a body is a
 * definition, and a prototype is only a name. A declarator inside parameters is neither. The
 * function's name may be inside any number of nested declarators.
 */
function declared(declarator: Node): [Node | undefined, FoundName['kind']] {
  let node = declarator.parent;
  while (node !== null && DECLARATORS.has(node.type)) node = node.parent;
  if (node?.type === 'function_definition') return [node, 'def'];
  if (node?.type === 'declaration' || node?.type === 'field_declaration') return [node, 'const'];
  return [undefined, 'const'];
}

/** Operator, which is its own name: `<+>`. */
const OPERATOR = /^[^\p{L}\p{N}_\s"'`(){}]+$/u;

/** Returns a name without quotes, sigils and type arguments; `a::b` and `a\b` become `a.b`. */
function cleanName(text: string): string {
  const plain = text.slice(0, MAX_NAME).toWellFormed();
  if (OPERATOR.test(plain)) return plain;
  const bare = plain.startsWith('operator')
    ? plain
    : plain.replace(/<[^<>]*>/g, '').replace(/<[^<>]*>/g, '');
  return bare
    .replace(/::|\\/g, '.')
    .replace(/^["'`:*&\s]+|(?<!["'`\s])["'`\s]+$/g, '')
    .replace(/\s+/g, ' ');
}
