import type { LanguageQuery } from './language-query.js';

export const php: LanguageQuery = {
  grammar: 'php',
  definitions: `
(class_declaration name: (name) @name) @def
(interface_declaration name: (name) @name) @def
(trait_declaration name: (name) @name) @def
(enum_declaration name: (name) @name) @def
(function_definition name: (name) @name) @def
(method_declaration name: (name) @name) @def
(const_declaration (const_element (name) @name) @const)
(enum_case name: (name) @name) @const
`,
};
