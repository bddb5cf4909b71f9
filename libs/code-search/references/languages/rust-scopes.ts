import type { Node } from 'web-tree-sitter';

import { beforeFirst } from '#contracts/content/before-first';

import type { NameRole, ScopeRules } from '../name-role.js';
import type { PathStep, SyntaxPath } from '../syntax-path.js';

const TYPES_WITH_MEMBERS = new Set(['impl_item', 'trait_item', 'enum_item', 'struct_item']);
const scopes = new Set([
  ...TYPES_WITH_MEMBERS,
  'source_file',
  'mod_item',
  'function_item',
  'function_signature_item',
  'closure_expression',
  'block',
  'match_arm',
  'for_expression',
  'if_expression',
  'while_expression',
]);
const ITEMS = new Set([
  'function_item',
  'function_signature_item',
  'struct_item',
  'enum_item',
  'union_item',
  'trait_item',
  'type_item',
  'associated_type',
  'const_item',
  'static_item',
  'mod_item',
  'macro_definition',
]);
const PATTERNS = new Set([
  'tuple_pattern',
  'tuple_struct_pattern',
  'struct_pattern',
  'field_pattern',
  'ref_pattern',
  'mut_pattern',
  'reference_pattern',
  'slice_pattern',
  'or_pattern',
  'captured_pattern',
  'match_pattern',
]);
const USES = new Set(['use_declaration']);

/** Scopes and imports of Rust. */
export const rustScopes: ScopeRules = {
  scopes,
  openScopes: new Set(['source_file', 'mod_item']),
  roleOf(path) {
    const { leaf } = path;
    const parent = path.at(1);
    if (!parent) return { as: 'use' };
    if (path.levelOf(USES) !== undefined) return useRole(path);
    const isName = leaf.field === 'name';
    if (ITEMS.has(parent.type) && isName) return itemRole(path);
    switch (parent.type) {
      case 'field_expression':
        return leaf.field === 'field'
          ? memberOf(parent.node.childForFieldName('value'), path)
          : { as: 'use' };
      case 'scoped_identifier':
      case 'scoped_type_identifier':
        return isName ? pathRole(parent.node.childForFieldName('path'), path) : { as: 'use' };
      case 'field_declaration':
      case 'enum_variant':
        return isName ? { as: 'member_declaration', owner: ownerOf(path) } : { as: 'use' };
      case 'field_initializer':
        return leaf.field === 'field' ? { as: 'member', receiver: undefined } : { as: 'use' };
      case 'type_parameter':
      case 'type_parameters':
      case 'constrained_type_parameter':
      case 'const_parameter':
        return leaf.field === 'bounds'
          ? { as: 'use' }
          : { as: 'declaration', scope: path.nearest(scopes, 2).node };
      case 'closure_parameters':
        return { as: 'declaration', scope: path.nearest(scopes, 2).node };
    }
    return patternRole(path);
  },
  passedOn: (root) =>
    root.namedChildren.flatMap((child) => {
      const argument = child?.type === 'use_declaration' && child.childForFieldName('argument');
      const isStar = argument && argument.type === 'use_wildcard';
      const module = isStar ? argument.namedChildren[0]?.text : undefined;
      return module === undefined ? [] : [module];
    }),
};

function itemRole(path: SyntaxPath): NameRole {
  const isMember = path.at(2)?.type === 'declaration_list' && path.at(3)?.type !== 'mod_item';
  return isMember
    ? { as: 'member_declaration', owner: ownerOf(path) }
    : { as: 'declaration', scope: path.nearest(scopes, 2).node };
}

function patternRole(path: SyntaxPath): NameRole {
  let level = 1;
  let below = path.leaf;
  for (let step = path.at(level); step && PATTERNS.has(step.type); step = path.at(level)) {
    const isUse = ['type', 'condition'].includes(below.field ?? '');
    const isKey = below.field === 'name' && step.node.childForFieldName('pattern') !== null;
    if (isUse || isKey) return { as: 'use' };
    below = step;
    level += 1;
  }
  const holder = path.at(level);
  const declares: Readonly<Record<string, string>> = {
    let_declaration: 'pattern',
    let_condition: 'pattern',
    parameter: 'pattern',
    for_expression: 'pattern',
    match_arm: 'pattern',
  };
  const isPattern = holder !== undefined && declares[holder.type] === below.field;
  if (!isPattern || isConstant(path, below)) return { as: 'use' };
  return { as: 'declaration', scope: path.nearest(scopes, level).node };
}

/** Names of constants and variants in a pattern are compared, not bound. */
function isConstant({ leaf }: SyntaxPath, pattern: PathStep): boolean {
  return pattern.type !== 'identifier' && /^\p{Lu}/u.test(leaf.node.text);
}

function memberOf(receiver: Node | null, path: SyntaxPath): NameRole {
  const own = receiver?.type === 'self' ? ownerOf(path) : undefined;
  return { as: 'member', receiver: own === undefined ? undefined : { own } };
}

function pathRole(qualifier: Node | null, path: SyntaxPath): NameRole {
  const text = qualifier?.text ?? '';
  if (text === 'Self') return { as: 'member', receiver: { own: ownerOf(path) ?? '' } };
  if (/^(?:crate|self|super)(?:::\w+)*$/.test(text)) return { as: 'qualified', module: text };
  return { as: 'member', receiver: /^\w+$/.test(text) ? { name: text } : undefined };
}

function ownerOf(path: SyntaxPath): string | undefined {
  const { node } = path.nearest(TYPES_WITH_MEMBERS, 2);
  const type = node.childForFieldName('type') ?? node.childForFieldName('name');
  return type ? beforeFirst(type.text, '<') : undefined;
}

/** Puts the module of a name in nested `use` lists together. */
function useRole(path: SyntaxPath): NameRole {
  const { leaf } = path;
  const prefix: string[] = [];
  let binds = true;
  let imported = leaf.node.text;
  let below = leaf;
  for (const step of path) {
    if (step.type === 'use_declaration') break;
    if (step.type === 'scoped_identifier') {
      if (below.field === 'path') return { as: 'member', receiver: undefined };
      if (step !== leaf) prefix.unshift(step.node.childForFieldName('path')?.text ?? '');
    }
    if (step.type === 'scoped_use_list') {
      if (below.field === 'path') return { as: 'member', receiver: undefined };
      prefix.unshift(step.node.childForFieldName('path')?.text ?? '');
    }
    if (step.type === 'use_wildcard') return { as: 'member', receiver: undefined };
    if (step.type === 'use_as_clause') {
      const isAlias = below.field === 'alias';
      binds = isAlias;
      const used = isAlias ? step.node.childForFieldName('path') : null;
      if (used) {
        imported = used.childForFieldName('name')?.text ?? used.text;
        const around = used.childForFieldName('path')?.text;
        if (around !== undefined) prefix.unshift(around);
      }
    }
    below = step;
  }
  return { as: 'import', module: prefix.filter(Boolean).join('::'), imported, binds };
}
