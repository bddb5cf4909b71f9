import type { LanguageQuery } from './language-query.js';

export const kotlin: LanguageQuery = {
  grammar: 'kotlin',
  definitions: `
(class_declaration name: (identifier) @name) @def
(object_declaration name: (identifier) @name) @def
(companion_object name: (identifier) @name) @def
(function_declaration name: (identifier) @name) @def
(type_alias type: (identifier) @name) @const
(enum_entry (identifier) @name) @const
(source_file (property_declaration (variable_declaration (identifier) @name)) @const)
(class_body (property_declaration (variable_declaration (identifier) @name)) @const)
`,
  leads: ['annotation'],
};
