import type { LanguageQuery } from './language-query.js';

export const python: LanguageQuery = {
  grammar: 'python',
  definitions: `
(class_definition name: (identifier) @name) @def
(function_definition name: (identifier) @name) @def
(type_alias_statement left: (type (identifier) @name)) @const
(module (expression_statement (assignment left: (identifier) @name) @const))
(module (if_statement (block (expression_statement (assignment left: (identifier) @name) @const))))
`,
  members: `
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @member)))
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  (#eq? @_self "self")) @assigned
`,
  leads: ['decorator'],
  docStrings: ['expression_statement', 'string'],
  isDocString: (node) => node.type === 'string' || node.firstNamedChild?.type === 'string',
};
