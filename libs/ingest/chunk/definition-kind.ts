import type { Node } from 'web-tree-sitter';

import type { DefinitionKind } from '#contracts';

/** Words in node types that show a kind; the first that matches decides. */
const KINDS: readonly (readonly [RegExp, DefinitionKind])[] = [
  [/macro/, 'macro'],
  [/enum_(?:constant|variant|case|entry)|enumerator/, 'constant'],
  [/^(?:impl|extension)/, 'class'],
  [/method|constructor|getter|setter/, 'method'],
  [/function|^def|procedure|defun|^rpc/, 'function'],
  [/interface|protocol/, 'interface'],
  [/trait/, 'trait'],
  [/enum/, 'enum'],
  [/struct|union/, 'struct'],
  [/class|record|object_(?:definition|declaration)|contract_declaration/, 'class'],
  [/module|namespace|^mod_|package/, 'module'],
  [/associated_type|type/, 'type'],
  [/const|static_item|var_|variable|assignment|property|field/, 'constant'],
];

/** Nodes that give a value a name; the value shows the kind. */
const NAMES_A_VALUE = /^(?:variable_declarator|assignment|pair$|(?:public_)?field_definition)/;

/** Returns the kind that the syntax of a definition shows; undefined if it shows none. */
export function definitionKind(node: Node): DefinitionKind | undefined {
  if (NAMES_A_VALUE.test(node.type)) return kindOfValue(node);
  if (node.type === 'type_spec') return kindOfType(node.childForFieldName('type')?.type ?? '');
  return kindOfType(node.type);
}

function kindOfValue(node: Node): DefinitionKind {
  let value = valueOf(node);
  // `a = b = value`
  while (value?.type === 'assignment') value = valueOf(value);
  if (value && /function|lambda/.test(value.type)) return 'function';
  return value?.type === 'class' ? 'class' : 'constant';
}

function valueOf(node: Node): Node | null {
  return node.childForFieldName('value') ?? node.childForFieldName('right');
}

function kindOfType(type: string): DefinitionKind | undefined {
  return KINDS.find(([pattern]) => pattern.test(type))?.[1];
}
