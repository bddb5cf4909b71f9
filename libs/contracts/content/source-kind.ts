/** One row of the table of source kinds. */
interface KindOfSource {
  /** `source_type` of the definition. */
  readonly type: string;
  /** `docs_format` of the definition, for types with several formats. */
  readonly format?: string;
  /** True if people register and list such sources; the service defines the others itself. */
  readonly isRegistered: boolean;
  /** The registered kind whose policy weight and citations it shares. */
  readonly ranksAs: string;
  /** The kind of its documents, which decides their parser. */
  readonly document: string;
}

/** All kinds of sources. The other enumerations of types, formats and documents follow from it. */
const KINDS = {
  repo: { type: 'repo', isRegistered: true, ranksAs: 'repo', document: 'file' },
  docs_html: {
    type: 'docs',
    format: 'html',
    isRegistered: true,
    ranksAs: 'docs_html',
    document: 'html',
  },
  docs_openapi: {
    type: 'docs',
    format: 'openapi',
    isRegistered: true,
    ranksAs: 'docs_openapi',
    document: 'openapi',
  },
  pdf: { type: 'pdf', isRegistered: true, ranksAs: 'pdf', document: 'pdf' },
  // Code, as a repository is.
  package: { type: 'package', isRegistered: false, ranksAs: 'repo', document: 'file' },
  // The service's own documentation: pages.
  service_docs: {
    type: 'service_docs',
    isRegistered: false,
    ranksAs: 'docs_html',
    document: 'file',
  },
} as const satisfies Readonly<Record<string, KindOfSource>>;

type Kinds = typeof KINDS;
type Registered<Kind> = Kind extends { readonly isRegistered: true } ? Kind : never;
type Formatted<Kind> = Kind extends { readonly format: infer Format } ? Format : never;

/** Kind of a source: its type and, for types with several formats, its format. */
export type SourceKind = keyof Kinds;

/** `source_type` of a definition. */
export type DefinedType = Kinds[SourceKind]['type'];

/** `source_type` of a source that people register. */
export type SourceType = Registered<Kinds[SourceKind]>['type'];

/** `docs_format` of documentation. */
export type DocsFormat = Formatted<Kinds[SourceKind]>;

/** Kind under which a source is ranked and cited. Each is a registered kind. */
export type PriorityKind = Kinds[SourceKind]['ranksAs'];

/** The document kinds that kinds of sources select, as far as they decide it. */
export type KindDocument = Kinds[SourceKind]['document'];

const SOURCE_KINDS = Object.keys(KINDS) as readonly SourceKind[];

const rows = SOURCE_KINDS.map((kind) => KINDS[kind]);
const registeredRows = rows.filter((row) => row.isRegistered);

export const DEFINED_TYPES: readonly DefinedType[] = unique(rows.map(({ type }) => type));

export const SOURCE_TYPES: readonly SourceType[] = unique(registeredRows.map(({ type }) => type));

export const DOCS_FORMATS: readonly DocsFormat[] = rows.flatMap((row) =>
  'format' in row ? [row.format] : [],
);

/** Returns the kind of a source. Documentation without a format is HTML. */
export function sourceKind(type: DefinedType, format?: DocsFormat | null): SourceKind {
  if (type !== 'docs') return type;
  return format === 'openapi' ? 'docs_openapi' : 'docs_html';
}

/** Returns the kind under which a source of this type and format is ranked and cited. */
export function priorityKind(type: DefinedType, format?: DocsFormat | null): PriorityKind {
  return KINDS[sourceKind(type, format)].ranksAs;
}

/** Returns whether people register sources of a type. */
export function isRegisteredType(type: DefinedType): type is SourceType {
  return registeredRows.some((row) => row.type === type);
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}
