import { z } from 'zod';

import { packageUrl, type PackageVersion, packageVersionSchema } from './package-version.js';
import { DEFINED_TYPES, DOCS_FORMATS, isRegisteredType, type SourceType } from './source-kind.js';

/** A file that was uploaded: its blob's name, the file's own, and its size. */
const uploadSchema = z.object({
  blob: z.string(),
  file_name: z.string(),
  bytes: z.number(),
});
export type Upload = z.output<typeof uploadSchema>;

/** The fetched content of a source. Fields that do not apply to its type are absent. */
export const sourceDefinitionSchema = z.object({
  source_type: z.enum(DEFINED_TYPES),
  /**
   * Usually a URL. For an uploaded file its name, which is no URL; for a package its package URL
   * (`pkg:npm/react@19.0.0`); for the service's own documentation its version.
   */
  url: z.string(),
  /** package only; it never changes. */
  package: packageVersionSchema.optional(),
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

/**
 * Largest definition that a request may make, in bytes of its JSON. Logs may have larger ones, from
 * before this limit.
 */
export const MAX_DEFINITION_BYTES = 65_536;

/** Returns the size of a definition as its event stores it: bytes of JSON in UTF-8. */
export function definitionBytes(definition: SourceDefinition): number {
  return Buffer.byteLength(JSON.stringify(definition));
}

/** The definition of the source that a release of a package is. */
export function packageDefinition(release: PackageVersion): SourceDefinition {
  const { ecosystem, name, version } = release;
  return {
    source_type: 'package',
    url: packageUrl(release),
    package: { ecosystem, name, version },
    include_patterns: [],
    exclude_patterns: [],
  };
}

/** The definition of the source that the service's own documentation is, in one version of it. */
export function serviceDocsDefinition(version: string): SourceDefinition {
  const url = `footnote:docs@${version}`;
  return { source_type: 'service_docs', url, include_patterns: [], exclude_patterns: [] };
}

/**
 * The type of a source that people see. The service's own documentation is no such source. Releases
 * of packages are found by who links them, never listed or changed as sources: one that gets here
 * is a defect.
 */
export function registeredType({
  source_type,
  url,
}: Pick<SourceDefinition, 'source_type' | 'url'>): SourceType {
  if (isRegisteredType(source_type)) return source_type;
  throw new Error(`${url} is a ${source_type}, which is not a source that people see`);
}

/**
 * The fields of a source that its definition decides; those that do not apply are absent, and so is
 * what nobody is shown.
 */
export function shownDefinition(definition: SourceDefinition) {
  const { branch, docs_format, doc_urls, use_sitemap, doc_version_label } = definition;
  return {
    source_type: registeredType(definition),
    url: definition.url,
    ...(branch === undefined ? {} : { branch }),
    ...(docs_format === undefined ? {} : { docs_format }),
    ...(doc_urls === undefined ? {} : { doc_urls: [...doc_urls], doc_url_count: doc_urls.length }),
    ...(use_sitemap === undefined ? {} : { use_sitemap }),
    ...(doc_version_label === undefined ? {} : { doc_version_label }),
    include_patterns: [...definition.include_patterns],
    exclude_patterns: [...definition.exclude_patterns],
  };
}
