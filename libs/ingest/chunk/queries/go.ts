import type { LanguageQuery } from './language-query.js';

export const go: LanguageQuery = {
  grammar: 'go',
  definitions: `
(function_declaration name: (identifier) @name) @def
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (pointer_type (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))
  ]))
  name: (field_identifier) @name) @def
(type_spec name: (type_identifier) @name) @def
(type_alias name: (type_identifier) @name) @const
(method_elem name: (field_identifier) @name) @def
(source_file (const_declaration (const_spec name: (identifier) @name) @const))
(source_file (var_declaration (var_spec name: (identifier) @name) @const))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @const)))
`,
  members: `
(field_declaration name: (field_identifier) @name) @member
(field_declaration !name type: [
  (type_identifier) @name
  (qualified_type name: (type_identifier) @name)
  (generic_type type: (type_identifier) @name)
]) @member
`,
};
