import type { LanguageQuery } from './language-query.js';

const shared = `
(type_binding name: (type_constructor) @name) @const
(type_binding name: (type_constructor) @name body: (_)) @def
(constructor_declaration (constructor_name) @name) @const
(module_binding (module_name) @name) @def
(module_type_definition (module_type_name) @name) @def
(value_specification (value_name) @name) @def
(value_specification (parenthesized_operator (_) @name)) @def
(external (value_name) @name) @def
(class_binding (class_name) @name) @def
(class_type_binding (class_type_name) @name) @def
`;

export const ocaml: LanguageQuery = {
  grammar: 'ocaml',
  definitions: `
${shared}
(let_binding pattern: (value_name) @name (parameter)) @def
(let_binding pattern: (value_name) @name body: [(function_expression) (fun_expression)]) @def
(let_binding pattern: (parenthesized_operator (_) @name)) @def
(compilation_unit (value_definition (let_binding pattern: (value_name) @name) @const))
(structure (value_definition (let_binding pattern: (value_name) @name) @const))
(method_definition (method_name) @name) @def
`,
};

/** Query for `.mli` files, which have a separate grammar. */
export const ocamlInterface: LanguageQuery = {
  grammar: 'ocaml_interface',
  definitions: `
${shared}
(method_specification (method_name) @name) @const
`,
};
