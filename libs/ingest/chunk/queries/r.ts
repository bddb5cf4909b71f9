import type { LanguageQuery } from './language-query.js';

/** A dot is part of a name (`print.survey`). Classes and generics are made by calls. */
export const r: LanguageQuery = {
  grammar: 'r',
  definitions: `
(binary_operator lhs: (identifier) @whole operator: ["<-" "=" "<<-"] rhs: (function_definition)) @def
(binary_operator lhs: (string content: (string_content) @whole) operator: ["<-" "="] rhs: (function_definition)) @def
(binary_operator lhs: (extract_operator lhs: (identifier) @owner rhs: (identifier) @whole)
  operator: ["<-" "="] rhs: (function_definition)) @def
(binary_operator lhs: (identifier) @whole operator: ["<-" "="] rhs: (call function: (_) @_kind)
  (#match? @_kind "(?:^|::)(?:R6Class|setRefClass|new_class|new_generic|ggproto)$")) @def
(call function: (identifier) @_list arguments: (arguments
  (argument name: (identifier) @whole value: (function_definition)) @def) (#eq? @_list "list"))
(call function: (identifier) @_kind arguments: (arguments . (argument value: (string content: (string_content) @whole)))
  (#any-of? @_kind "setClass" "setGeneric" "setMethod" "setRefClass" "setClassUnion")) @def
(program (binary_operator lhs: (identifier) @whole operator: ["<-" "=" "<<-"]) @const)
`,
};
