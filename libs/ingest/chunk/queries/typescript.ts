import { javascriptDefinitions } from './javascript.js';
import type { LanguageQuery } from './language-query.js';

const definitions = `
${javascriptDefinitions('type_identifier')}
(function_signature name: (identifier) @name) @def
(method_signature name: (property_identifier) @name) @def
(abstract_method_signature name: (property_identifier) @name) @def
(abstract_class_declaration name: (type_identifier) @name) @def
(interface_declaration name: (type_identifier) @name) @def
(type_alias_declaration name: (type_identifier) @name) @def
(enum_declaration name: (identifier) @name) @def
(program (ambient_declaration (_ (variable_declarator name: (identifier) @name) @const)))
(program (export_statement (ambient_declaration (_ (variable_declarator name: (identifier) @name) @const))))
(internal_module name: (_) @name) @scope
(module name: (identifier) @name) @scope
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @def
`;

const members = `
(property_signature name: (_) @name) @member
(public_field_definition name: (_) @name) @member
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @assigned
(required_parameter "readonly" pattern: (identifier) @name) @assigned
(optional_parameter (accessibility_modifier) pattern: (identifier) @name) @assigned
(optional_parameter "readonly" pattern: (identifier) @name) @assigned
(enum_body name: (_) @name @constant)
(enum_assignment name: (_) @name) @constant
`;

const leads = ['decorator'];

export const typescript: LanguageQuery = { grammar: 'typescript', definitions, members, leads };
export const tsx: LanguageQuery = { grammar: 'tsx', definitions, members, leads };
