import type { LanguageQuery } from './language-query.js';

/**
 * Query for Dart. A signature and its body are siblings in this grammar; a definition ends with the
 * body.
 */
export const dart: LanguageQuery = {
  grammar: 'dart',
  definitions: `
(class_definition name: (identifier) @name) @def
(mixin_declaration (mixin) . (identifier) @name) @def
(extension_declaration name: (identifier) @name) @def
(enum_declaration name: (identifier) @name) @def
(enum_constant name: (identifier) @name) @const
(type_alias . (type_identifier) @name) @const
(function_signature name: (identifier) @name) @def
((function_signature name: (identifier) @name) @def . (function_body) @end)
((method_signature (function_signature name: (identifier) @name)) @def . (function_body) @end)
(lambda_expression parameters: (function_signature name: (identifier) @name) @def body: (_) @end)
(getter_signature name: (identifier) @name) @def
((getter_signature name: (identifier) @name) @def . (function_body) @end)
((method_signature (getter_signature name: (identifier) @name)) @def . (function_body) @end)
(setter_signature name: (identifier) @name) @def
((setter_signature name: (identifier) @name) @def . (function_body) @end)
((method_signature (setter_signature name: (identifier) @name)) @def . (function_body) @end)
((method_signature (operator_signature (binary_operator) @name)) @def . (function_body) @end)
(constructor_signature name: (identifier) @name . parameters: (_)) @def
((method_signature (constructor_signature name: (identifier) @name . parameters: (_))) @def . (function_body) @end)
(constant_constructor_signature (identifier) @name . (formal_parameter_list)) @def
(factory_constructor_signature (identifier) @name . (formal_parameter_list)) @def
((method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @def . (function_body) @end)
(redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list)) @def
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @const
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @const
(program (initialized_identifier_list (initialized_identifier . (identifier) @name)) @const)
(program (static_final_declaration_list (static_final_declaration . (identifier) @name)) @const)
`,
  leads: [
    'annotation',
    'function_signature',
    'method_signature',
    'getter_signature',
    'setter_signature',
  ],
};
