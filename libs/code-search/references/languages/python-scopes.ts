import type { Node } from 'web-tree-sitter';

import type { NameRole, Receiver, ScopeRules } from '../name-role.js';
import type { PathStep, SyntaxPath } from '../syntax-path.js';

const FUNCTIONS = new Set(['function_definition', 'lambda']);
const CLASSES = new Set(['class_definition']);
const scopes = new Set([
  ...FUNCTIONS,
  'module',
  'list_comprehension',
  'set_comprehension',
  'dictionary_comprehension',
  'generator_expression',
]);
const SCOPES_AND_CLASSES = new Set([...scopes, ...CLASSES]);
/** Scopes of assignments: comprehensions keep their loop variables alone. */
const ASSIGNED = new Set([...FUNCTIONS, ...CLASSES, 'module']);
const PARAMETERS = new Set(['parameters', 'lambda_parameters']);
const PATTERNS = new Set([
  'pattern_list',
  'tuple_pattern',
  'list_pattern',
  'list_splat_pattern',
  'dictionary_splat_pattern',
  'as_pattern_target',
  'expression_list',
  'tuple',
]);

/** Scopes and imports of Python. */
export const pythonScopes: ScopeRules = {
  scopes,
  openScopes: new Set(['module']),
  roleOf(path) {
    const { leaf } = path;
    const parent = path.at(1);
    if (!parent) return { as: 'use' };
    switch (parent.type) {
      case 'attribute':
        if (leaf.field !== 'attribute') return { as: 'use' };
        return {
          as: 'member',
          receiver: receiverOf(parent.node.childForFieldName('object'), path),
        };
      case 'keyword_argument':
        return leaf.field === 'name' ? { as: 'member', receiver: undefined } : { as: 'use' };
      case 'function_definition':
      case 'class_definition':
        return leaf.field === 'name' ? declared(path, 2, SCOPES_AND_CLASSES) : { as: 'use' };
      case 'aliased_import':
      case 'dotted_name':
        return importRole(path) ?? { as: 'use' };
      case 'default_parameter':
      case 'typed_default_parameter':
        return leaf.field === 'name'
          ? { as: 'declaration', scope: path.nearest(FUNCTIONS).node }
          : { as: 'use' };
      case 'named_expression':
        return leaf.field === 'name' ? declared(path, 2, ASSIGNED) : { as: 'use' };
    }
    return patternRole(path);
  },
  passedOn: (root) =>
    root.namedChildren.flatMap((child) => {
      const isStar = child?.namedChildren.some((each) => each?.type === 'wildcard_import');
      const module = child?.childForFieldName('module_name')?.text;
      return isStar && module !== undefined ? [module] : [];
    }),
};

function patternRole(path: SyntaxPath): NameRole {
  let level = 1;
  let below = path.leaf;
  const isPattern = ({ type }: PathStep) => PATTERNS.has(type) || type === 'typed_parameter';
  for (let step = path.at(level); step && isPattern(step); step = path.at(level)) {
    if (below.field === 'type') return { as: 'use' };
    below = step;
    level += 1;
  }
  const holder = path.at(level);
  if (!holder) return { as: 'use' };
  if (PARAMETERS.has(holder.type))
    return { as: 'declaration', scope: path.nearest(FUNCTIONS, level).node };
  const isAssigned =
    (holder.type === 'assignment' && below.field === 'left') ||
    (holder.type === 'for_statement' && below.field === 'left') ||
    below.type === 'as_pattern_target';
  if (isAssigned) return declared(path, level, ASSIGNED);
  if (holder.type === 'for_in_clause' && below.field === 'left')
    return { as: 'declaration', scope: path.nearest(scopes, level).node };
  return { as: 'use' };
}

/** Returns a member of a class that is the nearest scope, or else a name of that scope. */
function declared(path: SyntaxPath, level: number, around: ReadonlySet<string>): NameRole {
  const scope = path.nearest(around, level);
  return scope.type === 'class_definition'
    ? { as: 'member_declaration', owner: scope.node.childForFieldName('name')?.text }
    : { as: 'declaration', scope: scope.node };
}

function importRole(path: SyntaxPath): NameRole | undefined {
  const { leaf } = path;
  const aliasedAt = path.levelOf(new Set(['aliased_import']));
  const statement = path.nearest(new Set(['import_from_statement', 'import_statement']));
  if (statement.type === 'module') return undefined;
  const aliased = aliasedAt !== undefined && aliasedAt <= 2 ? path.at(aliasedAt) : undefined;
  const isAlias = leaf.field === 'alias';
  const dotted = isAlias ? aliased?.node.childForFieldName('name') : path.at(1)?.node;
  const name = dotted?.text ?? leaf.node.text;
  if (statement.type === 'import_statement')
    return { as: 'import', module: name, imported: '*', binds: isAlias || !aliased };
  const holder = aliased ?? path.at(1);
  if (holder?.field === 'module_name') return { as: 'member', receiver: undefined };
  const module = statement.node.childForFieldName('module_name')?.text ?? '';
  return { as: 'import', module, imported: name, binds: isAlias || !aliased };
}

function receiverOf(receiver: Node | null, path: SyntaxPath): Receiver | undefined {
  if (receiver?.type !== 'identifier') return undefined;
  if (receiver.text !== 'self' && receiver.text !== 'cls') return { name: receiver.text };
  const own = path.nearest(CLASSES).node.childForFieldName('name')?.text;
  return own === undefined ? undefined : { own };
}
