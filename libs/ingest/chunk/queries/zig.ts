import type { LanguageQuery } from './language-query.js';

/**
 * Query for Zig. A type is a constant whose value is a container. An import is not a definition.
 */
export const zig: LanguageQuery = {
  grammar: 'zig',
  definitions: `
(function_declaration name: (identifier) @name) @def
(variable_declaration . (identifier) @name [
  (struct_declaration) (enum_declaration) (union_declaration) (opaque_declaration) (error_set_declaration)
]) @def
(source_file (variable_declaration . (identifier) @name) @const (#not-match? @const "^[^\\n]*@import\\\\("))
(struct_declaration (variable_declaration . (identifier) @name) @const (#not-match? @const "^[^\\n]*@import\\\\("))
(container_field name: (identifier) @name) @const
(test_declaration [(string (string_content) @name) (identifier) @name]) @def
`,
};
