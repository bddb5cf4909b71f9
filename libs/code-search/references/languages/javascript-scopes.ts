import type { Node } from 'web-tree-sitter';

import type { NameRole, Receiver, ScopeRules } from '../name-role.js';
import type { SyntaxPath } from '../syntax-path.js';

const FUNCTIONS = [
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'generator_function',
  'arrow_function',
  'method_definition',
  'function_signature',
  'method_signature',
  'abstract_method_signature',
  'function_type',
  'constructor_type',
];
const CLASSES = new Set(['class_declaration', 'abstract_class_declaration', 'class']);
const scopes = new Set([
  ...FUNCTIONS,
  ...CLASSES,
  'interface_declaration',
  'type_alias_declaration',
  'program',
  'statement_block',
  'for_statement',
  'for_in_statement',
  'switch_body',
  'catch_clause',
]);
const FUNCTION_SCOPES = new Set([...FUNCTIONS, 'program']);
const DECLARATIONS = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_signature',
  'class_declaration',
  'abstract_class_declaration',
  'interface_declaration',
  'type_alias_declaration',
  'enum_declaration',
  'internal_module',
  'module',
]);
const MEMBERS = new Set([
  'method_definition',
  'method_signature',
  'abstract_method_signature',
  'public_field_definition',
  'field_definition',
  'property_signature',
  'pair',
  'enum_body',
  'enum_assignment',
]);
const MEMBER_OWNERS = new Set([...CLASSES, 'interface_declaration', 'enum_declaration', 'object']);
const PATTERNS = new Set([
  'object_pattern',
  'array_pattern',
  'pair_pattern',
  'assignment_pattern',
  'object_assignment_pattern',
  'rest_pattern',
  'required_parameter',
  'optional_parameter',
]);
/** Fields of patterns that hold expressions, keys or types. */
const NO_PATTERN = new Set(['right', 'key', 'type', 'decorator']);
const EXPORTED = new Set(['export_statement']);

/** Scopes and imports of JavaScript and TypeScript. */
export const javascriptScopes: ScopeRules = {
  scopes,
  openScopes: new Set(['program']),
  roleOf(path) {
    const { leaf } = path;
    const parent = path.at(1);
    if (!parent) return { as: 'use' };
    switch (parent.type) {
      case 'member_expression':
        if (leaf.field !== 'property') return { as: 'use' };
        return {
          as: 'member',
          receiver: receiverOf(parent.node.childForFieldName('object'), path),
        };
      case 'nested_type_identifier':
        if (leaf.field !== 'name') return { as: 'use' };
        return {
          as: 'member',
          receiver: receiverOf(parent.node.childForFieldName('module'), path),
        };
      case 'import_specifier':
      case 'import_clause':
      case 'namespace_import':
        return importRole(path);
      case 'export_specifier':
        return exportRole(path);
      case 'function_expression':
      case 'generator_function':
      case 'class':
        return leaf.field === 'name' ? { as: 'declaration', scope: parent.node } : { as: 'use' };
      case 'type_parameter':
        return leaf.field === 'name'
          ? { as: 'declaration', scope: path.nearest(scopes, 2).node }
          : { as: 'use' };
      case 'arrow_function':
        return leaf.field === 'parameter'
          ? { as: 'declaration', scope: parent.node }
          : { as: 'use' };
    }
    if (DECLARATIONS.has(parent.type) && leaf.field === 'name')
      return { as: 'declaration', scope: path.nearest(scopes, 2).node };
    if (MEMBERS.has(parent.type) && leaf.field !== 'value' && leaf.type !== 'identifier')
      return { as: 'member_declaration', owner: ownerOf(path) };
    return patternRole(path);
  },
  passedOn: (root) =>
    root.namedChildren.flatMap((child) => {
      const isStar =
        child?.type === 'export_statement' && child.children.some((each) => each?.type === '*');
      return isStar ? moduleOf(child) : [];
    }),
};

function patternRole(path: SyntaxPath): NameRole {
  let level = 1;
  let below = path.leaf;
  for (let step = path.at(level); step && PATTERNS.has(step.type); step = path.at(level)) {
    const isDefault = below.field === 'value' && step.type !== 'pair_pattern';
    if (isDefault || NO_PATTERN.has(below.field ?? '')) return { as: 'use' };
    below = step;
    level += 1;
  }
  const holder = path.at(level);
  if (holder?.type === 'variable_declarator' && below.field === 'name') {
    const isVar = path.at(level + 1)?.type === 'variable_declaration';
    const around = path.nearest(isVar ? FUNCTION_SCOPES : scopes, level + 1);
    return { as: 'declaration', scope: around.node };
  }
  if (holder?.type === 'formal_parameters')
    return { as: 'declaration', scope: path.nearest(scopes, level).node };
  if (holder?.type === 'catch_clause' && below.field === 'parameter')
    return { as: 'declaration', scope: holder.node };
  const isLoop = holder?.type === 'for_in_statement' && below.field === 'left';
  if (isLoop && holder.node.childForFieldName('kind'))
    return { as: 'declaration', scope: holder.node };
  return { as: 'use' };
}

function importRole(path: SyntaxPath): NameRole {
  const [parent, leaf] = [path.at(1), path.leaf];
  const module = moduleOf(path.nearest(new Set(['import_statement'])).node)[0] ?? '';
  if (parent?.type === 'namespace_import')
    return { as: 'import', module, imported: '*', binds: true };
  if (parent?.type === 'import_clause')
    return { as: 'import', module, imported: 'default', binds: true };
  const name = parent?.node.childForFieldName('name')?.text ?? leaf.node.text;
  const alias = parent?.node.childForFieldName('alias');
  return { as: 'import', module, imported: name, binds: !alias || leaf.field === 'alias' };
}

function exportRole(path: SyntaxPath): NameRole {
  const statement = path.levelOf(EXPORTED);
  const [module] = statement === undefined ? [] : moduleOf(path.nearest(EXPORTED).node);
  if (module === undefined) return { as: 'use' };
  const name = path.at(1)?.node.childForFieldName('name')?.text ?? '';
  return { as: 'import', module, imported: name, binds: false };
}

/** Returns the module of an import or export; nothing if it has none. */
function moduleOf(statement: Node): string[] {
  const source = statement.childForFieldName('source')?.text;
  return source === undefined ? [] : [source.slice(1, -1)];
}

function receiverOf(receiver: Node | null, path: SyntaxPath): Receiver | undefined {
  if (receiver?.type === 'this') {
    const own = path.nearest(CLASSES).node.childForFieldName('name')?.text;
    return own === undefined ? undefined : { own };
  }
  return receiver?.type === 'identifier' ? { name: receiver.text } : undefined;
}

function ownerOf(path: SyntaxPath): string | undefined {
  return path.nearest(MEMBER_OWNERS).node.childForFieldName('name')?.text;
}
