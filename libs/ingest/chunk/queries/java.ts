import type { LanguageQuery } from './language-query.js';

/** Declarations only: a `method_invocation` has a name too. */
export const java: LanguageQuery = {
  grammar: 'java',
  definitions: `
(class_declaration name: (identifier) @name) @def
(record_declaration name: (identifier) @name) @def
(interface_declaration name: (identifier) @name) @def
(annotation_type_declaration name: (identifier) @name) @def
(enum_declaration name: (identifier) @name) @def
(constructor_declaration name: (identifier) @name) @def
(compact_constructor_declaration name: (identifier) @name) @def
(method_declaration name: (identifier) @name) @def
(annotation_type_element_declaration name: (identifier) @name) @const
(enum_constant name: (identifier) @name) @const
(field_declaration (modifiers) @_m declarator: (variable_declarator name: (identifier) @name)
  (#match? @_m "static")) @const
`,
  members: `
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @member
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @member
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @member))
`,
};
