import { z } from 'zod';

export const SOURCE_TYPES = ['repo', 'docs', 'pdf'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const DOCS_FORMATS = ['html', 'openapi'] as const;
export type DocsFormat = (typeof DOCS_FORMATS)[number];

/** A file that was uploaded: its blob's name, the file's own, and its size. */
export const uploadSchema = z.object({ blob: z.string(), file_name: z.string(), bytes: z.number() });
export type Upload = z.output<typeof uploadSchema>;

/** What is fetched for a source. Fields that do not apply to its type are absent. */
export const sourceDefinitionSchema = z.object({
  source_type: z.enum(SOURCE_TYPES),
  /** Of an uploaded file its name, which is no URL. */
  url: z.string(),
  /** pdf only, where the file was uploaded instead of fetched from a URL; it never changes. */
  upload: uploadSchema.optional(),
  /** repo only */
  branch: z.string().optional(),
  /** docs only */
  docs_format: z.enum(DOCS_FORMATS).optional(),
  /** HTML docs only */
  doc_urls: z.array(z.string()).optional(),
  /** HTML docs only */
  use_sitemap: z.boolean().optional(),
  /** OpenAPI docs only: replaces a poor `info.version` in citations */
  doc_version_label: z.string().optional(),
  /** Globs of what to take; empty takes everything that is not excluded. */
  include_patterns: z.array(z.string()),
  /** Globs of what to leave out; they win over `include_patterns`. */
  exclude_patterns: z.array(z.string()),
});
export type SourceDefinition = z.output<typeof sourceDefinitionSchema>;

/** The kinds that carry a priority weight in the policy. */
export const PRIORITY_KINDS = ['repo', 'docs_html', 'docs_openapi', 'pdf'] as const;
export type PriorityKind = (typeof PRIORITY_KINDS)[number];

/** The kind that a source of this type and format counts as. */
export function priorityKind(type: SourceType, format?: DocsFormat | null): PriorityKind {
  if (type !== 'docs') return type;
  return format === 'openapi' ? 'docs_openapi' : 'docs_html';
}

/** The fields of a source that its definition decides; those that do not apply are absent, and so is what nobody is shown. */
export function shownDefinition(definition: SourceDefinition) {
  const { branch, docs_format, doc_urls, use_sitemap, doc_version_label } = definition;
  return {
    source_type: definition.source_type,
    url: definition.url,
    ...(branch === undefined ? {} : { branch }),
    ...(docs_format === undefined ? {} : { docs_format }),
    ...(doc_urls === undefined ? {} : { doc_urls: [...doc_urls] }),
    ...(use_sitemap === undefined ? {} : { use_sitemap }),
    ...(doc_version_label === undefined ? {} : { doc_version_label }),
    include_patterns: [...definition.include_patterns],
    exclude_patterns: [...definition.exclude_patterns],
  };
}
