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
(internal_module name: (_) @name) @scope
(module name: (identifier) @name) @scope
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @def
`;

const leads = ['decorator'];

export const typescript: LanguageQuery = { grammar: 'typescript', definitions, leads };
export const tsx: LanguageQuery = { grammar: 'tsx', definitions, leads };
