import type { LanguageQuery } from './language-query.js';

export const scala: LanguageQuery = {
  grammar: 'scala',
  definitions: `
(class_definition name: (identifier) @name) @def
(trait_definition name: (identifier) @name) @def
(object_definition name: (identifier) @name) @def
(enum_definition name: (identifier) @name) @def
(function_definition name: (_) @name) @def
(function_declaration name: (_) @name) @def
(given_definition name: (identifier) @name) @def
(type_definition name: (type_identifier) @name) @const
(simple_enum_case name: (identifier) @name) @const
(full_enum_case name: (identifier) @name) @const
(template_body (val_definition pattern: (identifier) @name) @const)
(compilation_unit (val_definition pattern: (identifier) @name) @const)
`,
  leads: ['annotation'],
};
