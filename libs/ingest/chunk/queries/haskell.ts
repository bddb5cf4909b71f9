import type { LanguageQuery } from './language-query.js';

/** A function's signature and its clauses are siblings, and make one definition. */
export const haskell: LanguageQuery = {
  grammar: 'haskell',
  definitions: `
(data_type name: (_) @name) @def
(newtype name: (_) @name) @def
(class name: (name) @name) @def
(instance name: (name) @name) @scope
(type_synomym name: (name) @name) @const
(type_family name: (name) @name) @const
(data_family name: (name) @name) @const
(data_constructor constructor: (_ name: (constructor) @name)) @const
(newtype_constructor name: (constructor) @name) @const
(gadt_constructor name: (constructor) @name) @const
(field name: (field_name (variable) @name)) @const
(pattern_synonym (equation synonym: (_ name: (constructor) @name))) @const
(function name: (variable) @name) @clause
(function name: (prefix_id (operator) @name)) @clause
(function (infix operator: (operator) @name)) @clause
(function (infix operator: (infix_id (variable) @name))) @clause
(declarations (bind name: (variable) @name) @clause)
(class_declarations (bind name: (variable) @name) @clause)
(instance_declarations (bind name: (variable) @name) @clause)
(declarations (signature name: (variable) @name) @clause)
(declarations (signature name: (prefix_id (operator) @name)) @clause)
(declarations (signature names: (binding_list (variable) @name)) @clause)
(class_declarations (signature name: (variable) @name) @clause)
(class_declarations (signature name: (prefix_id (operator) @name)) @clause)
(class_declarations (signature names: (binding_list (variable) @name)) @clause)
(foreign_import (signature name: (variable) @name)) @def
`,
  leads: ['haddock', 'pragma', 'signature'],
};
