import type { LanguageQuery } from './language-query.js';

/**
 * Query for Elixir, in which everything is a call: the called name separates `def` from
 * `defmodule`.
 */
export const elixir: LanguageQuery = {
  grammar: 'elixir',
  definitions: `
(call target: (identifier) @_kind (arguments (alias) @name)
  (#any-of? @_kind "defmodule" "defprotocol")) @def
(call target: (identifier) @_kind (arguments (alias) @name)
  (#eq? @_kind "defimpl")) @scope
(call target: (identifier) @_kind (arguments [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: (call target: (identifier) @name) operator: "when")
  (binary_operator left: (identifier) @name operator: "when")
]) (#any-of? @_kind "def" "defp" "defmacro" "defmacrop" "defdelegate" "defguard" "defguardp" "defn" "defnp")) @def
`,
  leads: ['unary_operator'],
};
