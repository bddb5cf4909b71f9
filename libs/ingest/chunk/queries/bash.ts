import type { LanguageQuery } from './language-query.js';

export const bash: LanguageQuery = {
  grammar: 'bash',
  definitions: `
(function_definition name: (word) @name) @def
(program (variable_assignment name: (variable_name) @name) @const)
(program (declaration_command (variable_assignment name: (variable_name) @name) @const))
`,
};
