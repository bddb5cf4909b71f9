import type { Node } from 'web-tree-sitter';

/**
 * Query that finds the definitions in one grammar. `definitions` is a tree-sitter query with these
 * captures:
 *
 * - `@def` Definition that names a chunk (function, class, method…), with `@name`.
 * - `@const` Name worth finding that encloses nothing (top-level constant, type alias), with
 *   `@name`.
 * - `@scope` Qualifier of the names inside that defines no name itself (Rust `impl`), with `@name`.
 * - `@declarator` (C) Innermost declarator of a function; its parents show what it belongs to.
 * - `@clause` One of several siblings with the same name that form one definition (Haskell's
 *   equations).
 * - `@end` Sibling in which a definition ends (Dart's body after its signature).
 * - `@whole` Name in which a dot is an ordinary character (R), instead of `@name`.
 * - `@owner` Qualifier of a definition outside of its owner (Go receiver, C++ `Class::method`).
 */
export interface LanguageQuery {
  /** Name in the grammar's file `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;
  readonly definitions: string;
  /**
   * Query for the fields and properties of types, which are not definitions that rank. Captures:
   *
   * - `@member` Declaration, with `@name`.
   * - `@constant` The same of a member of an enumeration.
   * - `@assigned` Assignment to a member (`self.x = 1`) or parameter that is one, with `@name`. It
   *   belongs to the class around it; the first of a name counts, others do not.
   */
  readonly members?: string;
  /**
   * True if the lexer is one function so large that V8 needs gigabytes to optimize it. It runs as
   * first compiled.
   */
  readonly hasHugeLexer?: true;
  /** Node types besides comments that belong to the sibling after them: decorators, attributes. */
  readonly leads?: readonly string[];
  /** Node types of documentation inside a body. */
  readonly docStrings?: readonly string[];
  readonly isDocString?: (node: Node) => boolean;
}
