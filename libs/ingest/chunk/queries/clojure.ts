import type { LanguageQuery } from './language-query.js';

/**
 * Query for Clojure. Every form at the top of a file that starts with `def` is a definition. So are
 * the methods of protocols, records and types.
 */
export const clojure: LanguageQuery = {
  grammar: 'clojure',
  definitions: `
(source (list_lit . (sym_lit name: (sym_name) @_kind) . (sym_lit name: (sym_name) @name)
  (#match? @_kind "^def[a-z*+-]+$") (#not-match? @_kind "^(?:defonce|defer.*|default.*)$")) @def)
(source (list_lit . (sym_lit name: (sym_name) @_kind) . (sym_lit name: (sym_name) @name)
  (#any-of? @_kind "def" "defonce" "ns")) @const)
(source (list_lit . (sym_lit name: (sym_name) @_kind) . (sym_lit name: (sym_name) @name)
  (#any-of? @_kind "extend-type" "extend-protocol")) @scope)
(source (list_lit . (sym_lit name: (sym_name) @_kind)
  (list_lit . (sym_lit name: (sym_name) @name) . (vec_lit)) @def
  (#any-of? @_kind "defprotocol" "defrecord" "deftype" "definterface" "extend-type" "extend-protocol")))
`,
};
