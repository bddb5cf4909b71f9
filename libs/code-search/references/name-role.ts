import type { Node } from 'web-tree-sitter';

import type { SyntaxPath } from './syntax-path.js';

/** The part that an identifier plays in its file. */
export type NameRole =
  /** Declares the name in a scope. */
  | { readonly as: 'declaration'; readonly scope: Node; readonly space?: NameSpace }
  /** Declares a member of a type, by the name of the type. */
  | { readonly as: 'member_declaration'; readonly owner: string | undefined }
  /** Imports a name. */
  | {
      readonly as: 'import';
      /** Module in the syntax of the language. */
      readonly module: string;
      /** Name in the module; `*` stands for the module itself. */
      readonly imported: string;
      /** True if the identifier is known in the file by this name. */
      readonly binds: boolean;
    }
  /** Stands after a receiver or qualifier, if there is one that can be followed. */
  | { readonly as: 'member'; readonly receiver: Receiver | undefined }
  /** Stands after a module that is written out. */
  | { readonly as: 'qualified'; readonly module: string }
  | { readonly as: 'use'; readonly space?: NameSpace };

/** Names of functions that variables do not hide. */
export type NameSpace = 'method' | undefined;

/** A plain receiver: the type around the identifier, or a name. */
export type Receiver = { readonly own: string } | { readonly name: string };

/** The scopes and imports of a language. */
export interface ScopeRules {
  /** Types of nodes in which declared names are known. */
  readonly scopes: ReadonlySet<string>;
  /** Types of nodes whose names other files can know. */
  readonly openScopes: ReadonlySet<string>;
  roleOf(path: SyntaxPath): NameRole;
  /** Returns modules that a file knows without naming the identifier. */
  implicitModules?(root: Node, name: string): readonly string[];
  /** Returns the modules that a file knows by a qualifier without an identifier for it. */
  modulesNamed?(root: Node, qualifier: string): readonly string[];
  /** Returns the modules that a file passes on as a whole. */
  passedOn?(root: Node): readonly string[];
}
