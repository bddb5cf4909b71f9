import { cTypes } from './c.js';
import type { LanguageQuery } from './language-query.js';

/** Namespaces are left out of symbols, which read `Class.method` as in other languages. */
export const cpp: LanguageQuery = {
  grammar: 'cpp',
  definitions: `
${cTypes}
(class_specifier name: (_) @name body: (_)) @def
(alias_declaration name: (type_identifier) @name) @const
(concept_definition name: (identifier) @name) @def
(function_declarator declarator: [
  (identifier) (field_identifier) (operator_name) (destructor_name) (qualified_identifier) (template_function)
] @name) @declarator
`,
  leads: ['attribute_declaration'],
};
