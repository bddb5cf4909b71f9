/** A file in which the identifiers with a name are wanted. */
export interface NamedFile {
  readonly path: string;
  /** As citations show it. */
  readonly language: string;
  readonly text: string;
}

/** An identifier with the name. */
export interface NameOccurrence {
  /** 1-based. */
  readonly line: number;
  /** First column in UTF-16 units, 1-based. */
  readonly column: number;
  /** True if it stands in an import of the file. */
  readonly isImport: boolean;
}

/** The occurrences of a name in a file, in its order. */
export interface FileOccurrences {
  /** False if the parse ran out of time: comments and strings are among the occurrences. */
  readonly isParsed: boolean;
  readonly names: readonly NameOccurrence[];
}
