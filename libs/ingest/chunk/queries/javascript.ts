import type { LanguageQuery } from './language-query.js';

/** Shared with TypeScript, whose grammar names classes by another node type. */
export function javascriptDefinitions(className: string): string {
  return `
(function_declaration name: (identifier) @name) @def
(generator_function_declaration name: (identifier) @name) @def
(class_declaration name: (${className}) @name) @def
(method_definition name: (_) @name) @def
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (class)]) @def
(assignment_expression left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (class)]) @def
(assignment_expression left: (member_expression
    object: (member_expression object: (identifier) @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)] (#eq? @_prototype "prototype")) @def
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @def
(program (lexical_declaration (variable_declarator name: (identifier) @name) @const))
(program (variable_declaration (variable_declarator name: (identifier) @name) @const))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @const)))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @const)))
`;
}

export const javascript: LanguageQuery = {
  grammar: 'javascript',
  definitions: `
${javascriptDefinitions('identifier')}
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @def
`,
  members: `
(field_definition property: (_) @name) @member
(assignment_expression left: (member_expression object: (this) property: (_) @name)) @assigned
`,
  leads: ['decorator'],
};
