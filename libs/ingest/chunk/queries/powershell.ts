import type { LanguageQuery } from './language-query.js';

export const powershell: LanguageQuery = {
  grammar: 'powershell',
  hasHugeLexer: true,
  definitions: `
(function_statement (function_name) @name) @def
(class_statement . (simple_name) @name) @def
(class_method_definition (simple_name) @name) @def
(enum_statement . (simple_name) @name) @def
`,
};
