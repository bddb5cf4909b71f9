import type { LanguageQuery } from './language-query.js';

export const lua: LanguageQuery = {
  grammar: 'lua',
  definitions: `
(function_declaration name: (identifier) @name) @def
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @def
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @def
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition))) @def
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name))
  (expression_list . value: (function_definition))) @def
(field name: (identifier) @name value: (function_definition)) @def
`,
};
