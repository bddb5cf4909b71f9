import type { Node } from 'web-tree-sitter';

import type { NameRole, Receiver, ScopeRules } from '../name-role.js';
import type { SyntaxPath } from '../syntax-path.js';

const BODIES = [
  'class_body',
  'interface_body',
  'enum_body',
  'enum_body_declarations',
  'annotation_type_body',
];
const TYPES = new Set([
  'class_declaration',
  'interface_declaration',
  'enum_declaration',
  'record_declaration',
  'annotation_type_declaration',
]);
const CALLABLES = [
  'method_declaration',
  'constructor_declaration',
  'compact_constructor_declaration',
  'lambda_expression',
];
const scopes = new Set([
  ...BODIES,
  ...TYPES,
  ...CALLABLES,
  'program',
  'block',
  'constructor_body',
  'for_statement',
  'enhanced_for_statement',
  'catch_clause',
  'try_with_resources_statement',
  'switch_block_statement_group',
]);
const IMPORTS = new Set(['import_declaration']);
/** Nodes whose field `name` declares a variable. */
const VARIABLES = new Set([
  'variable_declarator',
  'formal_parameter',
  'catch_formal_parameter',
  'enhanced_for_statement',
  'resource',
  'enum_constant',
  'instanceof_expression',
]);

/** Scopes and imports of Java. */
export const javaScopes: ScopeRules = {
  scopes,
  openScopes: new Set(['program', ...BODIES]),
  roleOf(path) {
    const { leaf } = path;
    const parent = path.at(1);
    if (!parent) return { as: 'use' };
    const imported = importRole(path);
    if (imported) return imported;
    if (TYPES.has(parent.type) && leaf.field === 'name')
      return { as: 'declaration', scope: path.nearest(scopes, 2).node };
    if (VARIABLES.has(parent.type) && leaf.field === 'name') {
      const from = parent.type === 'enhanced_for_statement' ? 1 : 2;
      return { as: 'declaration', scope: path.nearest(scopes, from).node };
    }
    switch (parent.type) {
      case 'field_access':
        if (leaf.field !== 'field') return { as: 'use' };
        return {
          as: 'member',
          receiver: receiverOf(parent.node.childForFieldName('object'), path),
        };
      case 'method_invocation': {
        if (leaf.field !== 'name') return { as: 'use' };
        const object = parent.node.childForFieldName('object');
        return object
          ? { as: 'member', receiver: receiverOf(object, path) }
          : { as: 'use', space: 'method' };
      }
      case 'method_declaration':
        return leaf.field === 'name'
          ? { as: 'declaration', scope: path.nearest(scopes, 2).node, space: 'method' }
          : { as: 'use' };
      case 'constructor_declaration':
        return leaf.field === 'name'
          ? { as: 'member_declaration', owner: undefined }
          : { as: 'use' };
      case 'inferred_parameters':
      case 'type_parameter':
        return { as: 'declaration', scope: path.nearest(scopes, 2).node };
      case 'lambda_expression':
        return leaf.field === 'parameters'
          ? { as: 'declaration', scope: parent.node }
          : { as: 'use' };
      case 'scoped_identifier':
      case 'scoped_type_identifier':
      case 'method_reference': {
        const first = parent.node.namedChildren[0];
        if (first?.id === leaf.node.id) return { as: 'use' };
        return { as: 'member', receiver: receiverOf(first ?? null, path) };
      }
    }
    return { as: 'use' };
  },
  implicitModules(root, name) {
    const own = root.namedChildren.find((child) => child?.type === 'package_declaration');
    const wildcards = root.namedChildren.filter(
      (child) =>
        child?.type === 'import_declaration' &&
        child.namedChildren.some((each) => each?.type === 'asterisk'),
    );
    return [own, ...wildcards].flatMap((node) => {
      const module = node?.namedChildren.find((each) => /identifier/.test(each?.type ?? ''))?.text;
      return module === undefined ? [] : [`${module}.${name}`];
    });
  },
};

function importRole(path: SyntaxPath): NameRole | undefined {
  const level = path.levelOf(IMPORTS);
  if (level === undefined) return undefined;
  const whole = path.at(level - 1)?.node.text ?? '';
  const { node } = path.leaf;
  const isLast = node.endIndex === path.at(level - 1)?.node.endIndex;
  const isWildcard = path.at(level)?.node.namedChildren.some((each) => each?.type === 'asterisk');
  if (!isLast || isWildcard) return { as: 'member', receiver: undefined };
  return { as: 'import', module: whole, imported: node.text, binds: true };
}

function receiverOf(receiver: Node | null, path: SyntaxPath): Receiver | undefined {
  if (receiver?.type === 'this') {
    const own = path.nearest(TYPES).node.childForFieldName('name')?.text;
    return own === undefined ? undefined : { own };
  }
  return receiver && /^(?:type_)?identifier$/.test(receiver.type)
    ? { name: receiver.text }
    : undefined;
}
