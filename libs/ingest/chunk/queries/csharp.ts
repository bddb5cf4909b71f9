import type { LanguageQuery } from './language-query.js';

export const csharp: LanguageQuery = {
  grammar: 'c-sharp',
  definitions: `
(class_declaration name: (identifier) @name) @def
(record_declaration name: (identifier) @name) @def
(struct_declaration name: (identifier) @name) @def
(interface_declaration name: (identifier) @name) @def
(enum_declaration name: (identifier) @name) @def
(delegate_declaration name: (identifier) @name) @def
(constructor_declaration name: (identifier) @name) @def
(method_declaration name: (identifier) @name) @def
(local_function_statement name: (identifier) @name) @def
(property_declaration name: (identifier) @name) @const
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @const
(field_declaration (modifier) @_m (variable_declaration (variable_declarator name: (identifier) @name))
  (#any-of? @_m "const" "static")) @const
`,
};
