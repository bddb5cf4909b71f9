import type { Node } from 'web-tree-sitter';

import type { NameRole, ScopeRules } from '../name-role.js';
import type { SyntaxPath } from '../syntax-path.js';

const FUNCTIONS = new Set(['function_declaration', 'method_declaration', 'func_literal']);
const scopes = new Set([
  ...FUNCTIONS,
  'source_file',
  'block',
  'if_statement',
  'for_statement',
  'expression_switch_statement',
  'type_switch_statement',
  'select_statement',
  'expression_case',
  'type_case',
  'default_case',
  'communication_case',
  'type_declaration',
]);
const BLOCKS = new Set([...scopes].filter((type) => type !== 'type_declaration'));
/** The package of the file. */
export const OWN_PACKAGE = '.';

/** Scopes and imports of Go. */
export const goScopes: ScopeRules = {
  scopes,
  openScopes: new Set(['source_file']),
  roleOf(path) {
    const { leaf } = path;
    const parent = path.at(1);
    if (!parent) return { as: 'use' };
    const isName = leaf.field === 'name';
    switch (parent.type) {
      case 'selector_expression':
        return leaf.field === 'field'
          ? memberOf(parent.node.childForFieldName('operand'))
          : { as: 'use' };
      case 'qualified_type':
        return isName ? memberOf(parent.node.childForFieldName('package')) : { as: 'use' };
      case 'function_declaration':
        return isName ? { as: 'declaration', scope: path.root.node } : { as: 'use' };
      case 'method_declaration':
      case 'method_elem':
      case 'method_spec':
      case 'field_declaration':
        return isName ? { as: 'member_declaration', owner: undefined } : { as: 'use' };
      case 'keyed_element':
      case 'literal_element':
        return keyRole(path);
      case 'type_parameter_declaration':
      case 'parameter_declaration':
      case 'variadic_parameter_declaration':
        return isName ? { as: 'declaration', scope: path.nearest(scopes, 2).node } : { as: 'use' };
      case 'type_spec':
      case 'type_alias':
      case 'const_spec':
      case 'var_spec':
        return isName ? { as: 'declaration', scope: path.nearest(BLOCKS, 2).node } : { as: 'use' };
      case 'expression_list':
        return isAssigned(path)
          ? { as: 'declaration', scope: path.nearest(BLOCKS, 2).node }
          : { as: 'use' };
      case 'import_spec':
      case 'labeled_statement':
        return { as: 'member', receiver: undefined };
    }
    return { as: 'use' };
  },
  implicitModules: () => [OWN_PACKAGE],
  modulesNamed: (root, qualifier) =>
    root.namedChildren.flatMap((child) =>
      child?.type === 'import_declaration'
        ? child.descendantsOfType('import_spec').flatMap((spec) => moduleNamed(spec, qualifier))
        : [],
    ),
};

function memberOf(receiver: Node | null): NameRole {
  const isPlain = receiver?.type === 'identifier' || receiver?.type === 'package_identifier';
  return { as: 'member', receiver: isPlain ? { name: receiver.text } : undefined };
}

/** Keys of composite literals are fields, or keys of a map; nothing shows which. */
function keyRole(path: SyntaxPath): NameRole {
  const element = path.at(path.at(1)?.type === 'literal_element' ? 2 : 1);
  const key = element?.type === 'keyed_element' ? element.node.namedChildren[0] : undefined;
  const isKey = key && key.startIndex === path.leaf.node.startIndex;
  return isKey ? { as: 'member', receiver: undefined } : { as: 'use' };
}

function isAssigned(path: SyntaxPath): boolean {
  const [list, statement] = [path.at(1), path.at(2)];
  if (statement?.type === 'short_var_declaration') return list?.field === 'left';
  const isDeclared = statement?.node.children.some((child) => child?.type === ':=');
  if (statement?.type === 'range_clause' || statement?.type === 'receive_statement')
    return list?.field === 'left' && isDeclared === true;
  return statement?.type === 'type_switch_statement' && list?.field === 'alias';
}

function moduleNamed(spec: Node | null, qualifier: string): string[] {
  const module = spec?.childForFieldName('path')?.text.slice(1, -1) ?? '';
  const alias = spec?.childForFieldName('name')?.text;
  const last = module
    .replace(/\/v\d+$/, '')
    .split('/')
    .at(-1);
  return (alias ?? last) === qualifier ? [module] : [];
}
