import type { LanguageQuery } from './language-query.js';

export const rust: LanguageQuery = {
  grammar: 'rust',
  definitions: `
(struct_item name: (type_identifier) @name) @def
(enum_item name: (type_identifier) @name) @def
(union_item name: (type_identifier) @name) @def
(trait_item name: (type_identifier) @name) @def
(impl_item type: (_) @name) @scope
(mod_item name: (identifier) @name body: (_)) @def
(function_item name: (identifier) @name) @def
(function_signature_item name: (identifier) @name) @def
(macro_definition name: (identifier) @name) @def
(type_item name: (type_identifier) @name) @const
(associated_type name: (type_identifier) @name) @const
(const_item name: (identifier) @name) @const
(static_item name: (identifier) @name) @const
(enum_variant name: (identifier) @name) @const
`,
  members: `
(field_declaration name: (field_identifier) @name) @member
`,
  leads: ['attribute_item'],
};
