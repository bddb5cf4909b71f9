import type { Node } from 'web-tree-sitter';

/**
 * How definitions are found in one grammar. `definitions` is a tree-sitter query with these
 * captures:
 *
 * - `@def` a definition that names a chunk (function, class, method…), with `@name`
 * - `@const` a name worth finding that encloses nothing (top-level constant, type alias), with
 *   `@name`
 * - `@scope` what qualifies the names inside without defining one (Rust `impl`), with `@name`
 * - `@declarator` (C) the innermost declarator of a function; what it belongs to is found by going
 *   up
 * - `@clause` one of the siblings that together make one definition when they have one name
 *   (Haskell's equations)
 * - `@end` the sibling in which a definition ends (Dart's body after its signature)
 * - `@whole` a name in which a dot is a character like others (R), instead of `@name`
 * - `@owner` the qualifier of a definition that stands outside of its owner (Go receiver, C++
 *   `Class::method`)
 */
export interface LanguageQuery {
  /** The grammar's file is `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;
  readonly definitions: string;
  /**
   * Its lexer is one function so large that optimizing it takes V8 gigabytes; it runs as first
   * compiled.
   */
  readonly hasHugeLexer?: true;
  /** Node types besides comments that belong to the sibling after them: decorators, attributes. */
  readonly leads?: readonly string[];
  /** Node types of documentation inside a body. */
  readonly docStrings?: readonly string[];
  readonly isDocString?: (node: Node) => boolean;
}
