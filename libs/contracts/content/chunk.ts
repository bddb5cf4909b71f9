export const CHUNK_TYPES = ['code', 'docs', 'openapi'] as const;
export type ChunkType = (typeof CHUNK_TYPES)[number];

/** Kinds of definitions; `definition` where the grammar does not show one. */
export const DEFINITION_KINDS = [
  'definition',
  'class',
  'interface',
  'enum',
  'struct',
  'trait',
  'type',
  'function',
  'method',
  'constant',
  'module',
  'macro',
  'property',
] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/**
 * A definition that a chunk holds, with the lines of it that are in the chunk: 1-based, inclusive.
 */
export interface ChunkDefinition {
  /** One of the chunk's `defs`. */
  readonly name: string;
  /** `Class.method`. */
  readonly symbol: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Kind and place of the name; absent in chunks of versions that did not record it. */
  readonly place?: DefinitionPlace;
}

/** The name of a definition in its file, and where the whole definition ends. */
export interface DefinitionPlace {
  readonly kind: DefinitionKind;
  /** Line of the name, 1-based. */
  readonly line: number;
  /** First column of the name in UTF-16 units, 1-based. */
  readonly column: number;
  /** Last line of the definition, also if it is in a later chunk. */
  readonly last_line: number;
}

/**
 * A field, property or enum member of a type. The chunk's `defs` do not have its name, so that
 * rankers and chunk boundaries do not depend on it.
 */
export interface ChunkMember {
  readonly name: string;
  /** Symbol of the type around it, or of the definition that contains the type. */
  readonly parent: string;
  readonly kind: Extract<DefinitionKind, 'property' | 'constant'>;
  /** Line of the name, 1-based. */
  readonly line: number;
  /** First column of the name in UTF-16 units, 1-based. */
  readonly column: number;
  /** Last line of the declaration, also if it is in a later chunk. */
  readonly last_line: number;
}

/** A piece of one document, cut by a chunker. `content` is the cited lines byte for byte. */
export interface Chunk {
  /** 0-based place in its document. */
  readonly ordinal: number;
  readonly content: string;
  /** SHA-256 of `content` (UTF-8), lower-case hex. */
  readonly content_hash: string;
  /** o200k tokens of `content`. */
  readonly token_count: number;
  /** 1-based, inclusive; absent where lines mean nothing (HTML, PDF, OpenAPI). */
  readonly start_line?: number;
  readonly end_line?: number;
  /** `Class.method`, a heading trail or an operation id; absent when the chunk has none. */
  readonly symbol?: string;
  /**
   * The passage's place in the document, as the end of a URL: `#install`, `#page=3`. Absent where
   * lines show the place, and where the document has no such place. A citation's path is the
   * document's path followed by this.
   */
  readonly fragment?: string;
  /** Names that this chunk defines, in their exact case. */
  readonly defs: readonly string[];
  /**
   * Lines of these names, in the file's order. Absent where lines mean nothing, and in chunks of
   * versions that did not record them.
   */
  readonly definitions?: readonly ChunkDefinition[];
  /**
   * Members whose names are in the chunk, in the file's order. Absent if there is none, and in
   * chunks of versions that did not record them.
   */
  readonly members?: readonly ChunkMember[];
  readonly chunk_type: ChunkType;
  readonly language: string;
  /**
   * White space of the file between the chunk before and this one, or from its start. Absent where
   * lines mean nothing, in chunks of versions that did not record it, and if it is very long.
   */
  readonly before?: string;
  /** The same from the last chunk to the end of the file. */
  readonly after?: string;
  /**
   * OpenAPI only: `METHOD /path` and the hash of parameters, request body and responses after
   * `$ref`s.
   */
  readonly endpoint_key?: string;
  readonly schema_hash?: string;
}

/** A chunk with its place in a source: what a pack stores. */
export interface SourceChunk extends Chunk {
  /** UUIDv5(tenant, source, path, ordinal, content hash): the same over syncs. */
  readonly chunk_id: string;
  /** File path or URL. */
  readonly path: string;
}

/** Returns the symbol of the definition around a definition; null at the top level. */
export function parentOf({
  name,
  symbol,
}: Pick<ChunkDefinition, 'name' | 'symbol'>): string | null {
  return symbol.endsWith(`.${name}`) ? symbol.slice(0, -name.length - 1) : null;
}

/** Returns a member in the form of a definition. */
export function memberDefinition(member: ChunkMember): ChunkDefinition {
  const { name, parent, kind, line, column, last_line } = member;
  return {
    name,
    symbol: `${parent}.${name}`,
    start_line: line,
    end_line: last_line,
    place: { kind, line, column, last_line },
  };
}
