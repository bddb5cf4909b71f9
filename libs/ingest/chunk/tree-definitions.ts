import type { Node, Query, QueryMatch } from 'web-tree-sitter';

import type { FoundName } from './definitions.js';

const MAX_NAME = 200;
/** More definitions than any file that is read by people has; bounds memory on generated ones. */
const MAX_FOUND = 20_000;
/** Patterns that a query may hold open at once; a broken tree would otherwise hold thousands. */
const MATCH_LIMIT = 2_048;

/** The names that a definition query (see `LanguageQuery`) finds in a tree, one a place. */
export function definitionsOfTree(root: Node, query: Query): FoundName[] {
  const found = new Map<number, FoundName>();
  for (const match of query.matches(root, { matchLimit: MATCH_LIMIT })) {
    const item = read(match);
    if (item === undefined) continue;
    const earlier = found.get(item.nameStart);
    if (earlier === undefined || rank(item) > rank(earlier)) found.set(item.nameStart, item);
    if (found.size >= MAX_FOUND) break;
  }
  return [...found.values()];
}

/** Where two patterns name the same place, the one that says more wins. */
function rank(item: FoundName): number {
  return (item.kind === 'const' ? 0 : 2) + (item.owner === undefined ? 0 : 1);
}

function read(match: QueryMatch): FoundName | undefined {
  let body: Node | undefined;
  let kind: FoundName['kind'] = 'def';
  let name: Node | undefined;
  let owner: string | undefined;
  for (const { name: capture, node } of match.captures) {
    if (capture === 'name') name = node;
    else if (capture === 'owner') owner = cleanName(node.text);
    else if (capture === 'declarator') [body, kind] = declared(node);
    else if (capture === 'def' || capture === 'const' || capture === 'scope') [body, kind] = [node, capture];
  }
  if (body === undefined || name === undefined) return undefined;
  const text = cleanName(name.text);
  const cut = QUALIFIED.test(text) ? text.lastIndexOf('.') : -1;
  const last = text.slice(cut + 1);
  if (last === '') return undefined;
  const outer = cut > 0 ? text.slice(0, cut) : owner;
  return {
    kind,
    name: last,
    ...(outer === undefined || outer === '' ? {} : { owner: outer }),
    nameStart: name.startIndex,
    start: body.startIndex,
    end: body.endIndex,
  };
}

/** Parts that are identifiers, not a computed or quoted key that happens to have a dot in it. */
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
 * What a C declarator belongs to: a function with a body is a definition, a prototype a mere name, and one inside of
 * parameters neither. The function's name lies under any number of nested declarators.
 */
function declared(declarator: Node): [Node | undefined, FoundName['kind']] {
  let node = declarator.parent;
  while (node !== null && DECLARATORS.has(node.type)) node = node.parent;
  if (node?.type === 'function_definition') return [node, 'def'];
  if (node?.type === 'declaration' || node?.type === 'field_declaration') return [node, 'const'];
  return [undefined, 'const'];
}

/** A name without quotes, sigils and type arguments; `a::b` and `a\b` read `a.b`. */
function cleanName(text: string): string {
  const plain = text.slice(0, MAX_NAME).toWellFormed();
  const bare = plain.startsWith('operator') ? plain : plain.replace(/<[^<>]*>/g, '').replace(/<[^<>]*>/g, '');
  return bare
    .replace(/::|\\/g, '.')
    .replace(/^["'`:*&\s]+|["'`\s]+$/g, '')
    .replace(/\s+/g, ' ');
}
