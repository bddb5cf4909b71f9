import type { LanguageQuery } from './language-query.js';

export const solidity: LanguageQuery = {
  grammar: 'solidity',
  definitions: `
(contract_declaration name: (identifier) @name) @def
(interface_declaration name: (identifier) @name) @def
(library_declaration name: (identifier) @name) @def
(function_definition name: (identifier) @name) @def
(constructor_definition "constructor" @name) @def
(fallback_receive_definition ["fallback" "receive"] @name) @def
(modifier_definition name: (identifier) @name) @def
(struct_declaration name: (identifier) @name) @def
(enum_declaration name: (identifier) @name) @def
(event_definition name: (identifier) @name) @const
(error_declaration name: (identifier) @name) @const
(state_variable_declaration name: (identifier) @name) @const
(constant_variable_declaration name: (identifier) @name) @const
(user_defined_type_definition name: (identifier) @name) @const
(enum_value) @name @const
`,
};
