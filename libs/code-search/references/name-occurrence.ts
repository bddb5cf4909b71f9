/** A file in which the identifiers with a name are wanted. */
export interface NamedFile {
  readonly path: string;
  /** As citations show it. */
  readonly language: string;
  readonly text: string;
}

/** A place in a file, 1-based; columns in UTF-16 units. */
export interface NamePlace {
  readonly line: number;
  readonly column: number;
}

/** The meaning of an identifier, as far as its file shows it. */
export type NameBinding =
  | {
      readonly kind: 'declared';
      /** Declarations of the name in the file that the identifier means. */
      readonly places: readonly NamePlace[];
      /** True for names inside a function, which no other file knows. */
      readonly isLocal: boolean;
    }
  | {
      readonly kind: 'imported';
      /** Modules, in the syntax of the language, of which one has the name. */
      readonly modules: readonly string[];
      /** Name in the module. */
      readonly imported: string;
      /** The identifier is this member of the imported type or module. */
      readonly member?: string;
    }
  | { readonly kind: 'unknown' };

/** An identifier with the name. */
export interface NameOccurrence extends NamePlace {
  /** True if it stands in an import of the file. */
  readonly isImport: boolean;
  readonly binding: NameBinding;
}

/** The occurrences of a name in a file, in its order. */
export interface FileOccurrences {
  /** False if the parse ran out of time: comments and strings are among the occurrences. */
  readonly isParsed: boolean;
  readonly names: readonly NameOccurrence[];
  /** Modules of which the file passes on every name. */
  readonly passedOn: readonly string[];
}
