import type { LanguageQuery } from './language-query.js';

/**
 * Query for Swift. An extension qualifies its members by the extended type. Classes, structs, enums
 * and actors have one node type.
 */
export const swift: LanguageQuery = {
  grammar: 'swift',
  hasHugeLexer: true,
  definitions: `
(class_declaration name: (type_identifier) @name) @def
(class_declaration name: (user_type) @name) @scope
(protocol_declaration name: (type_identifier) @name) @def
(function_declaration "func" . name: _ @name) @def
(function_declaration "init" @name) @def
(protocol_function_declaration name: _ @name) @def
(deinit_declaration "deinit" @name) @def
(subscript_declaration "subscript" @name) @def
(typealias_declaration . name: (type_identifier) @name) @const
(associatedtype_declaration name: (type_identifier) @name) @const
(enum_entry name: (simple_identifier) @name) @const
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @const
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @const)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @const)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @const)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_)) @def
`,
};
