import type { LanguageQuery } from './language-query.js';

/** Types and macros, shared with C++. A name without a body is only a mention of a type. */
export const cTypes = `
(struct_specifier name: (type_identifier) @name body: (_)) @def
(union_specifier name: (type_identifier) @name body: (_)) @def
(enum_specifier name: (type_identifier) @name body: (_)) @def
(type_definition declarator: (type_identifier) @name) @const
(preproc_def name: (identifier) @name) @const
(preproc_function_def name: (identifier) @name) @def
`;

export const c: LanguageQuery = {
  grammar: 'c',
  definitions: `
${cTypes}
(function_declarator declarator: (identifier) @name) @declarator
(translation_unit (declaration declarator: (init_declarator declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (identifier) @name)
])) @const)
`,
};
