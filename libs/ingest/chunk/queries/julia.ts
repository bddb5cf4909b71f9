import type { LanguageQuery } from './language-query.js';

/**
 * A function's name: plain, of another module's function (`Base.show`), or of a type with
 * parameters.
 */
const named = `[
  (identifier) @name
  (operator) @name
  (field_expression value: (_) @owner (identifier) @name .)
  (parametrized_type_expression . (identifier) @name)
]`;
const call = `(call_expression . ${named})`;
/** A call as it stands in a signature: with a result type, type parameters, or both. */
const signature = `[
  ${call}
  (typed_expression . ${call})
  (where_expression . [${call} (typed_expression . ${call}) (where_expression . ${call})])
]`;
const head = `(type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
])`;

/** A string before a definition documents it. */
export const julia: LanguageQuery = {
  grammar: 'julia',
  hasHugeLexer: true,
  definitions: `
(module_definition name: (identifier) @name) @def
(struct_definition ${head}) @def
(abstract_definition ${head}) @const
(primitive_definition ${head}) @const
(function_definition (signature ${signature})) @def
(macro_definition (signature ${signature})) @def
(assignment . ${signature}) @def
(const_statement (assignment . (identifier) @name)) @const
(macrocall_expression (macro_identifier (identifier) @_kind) (macro_argument_list . (identifier) @name)
  (#eq? @_kind "enum")) @const
`,
  leads: ['string_literal'],
};
