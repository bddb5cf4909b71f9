import { cTypes } from './c.js';
import type { LanguageQuery } from './language-query.js';

/**
 * Query for Objective-C. The first part of its selector names a method; a category qualifies its
 * methods by its class.
 */
export const objc: LanguageQuery = {
  grammar: 'objc',
  definitions: `
${cTypes}
(function_declarator declarator: (identifier) @name) @declarator
(class_interface !category . (identifier) @name) @def
(class_interface . (identifier) @name category: (_)) @scope
(class_implementation !category . (identifier) @name) @def
(class_implementation . (identifier) @name category: (_)) @scope
(protocol_declaration . (identifier) @name) @def
(method_definition . (method_type)? . (identifier) @name) @def
(method_declaration . (method_type)? . (identifier) @name) @const
(property_declaration (struct_declaration (struct_declarator (identifier) @name))) @const
(property_declaration (struct_declaration (struct_declarator (pointer_declarator declarator: (identifier) @name)))) @const
(type_definition declarator: (function_declarator declarator:
  (parenthesized_declarator (block_pointer_declarator declarator: (type_identifier) @name)))) @const
(macro_type_specifier name: (identifier) @_macro type: (type_descriptor type: (type_identifier) @name)
  (#any-of? @_macro "NS_ENUM" "NS_OPTIONS")) @const
(translation_unit (declaration declarator: (init_declarator
  declarator: (pointer_declarator declarator: (identifier) @name))) @const)
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @const)
`,
};
