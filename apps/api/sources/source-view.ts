import type { SourceDefinition } from '#contracts';
import type { SourceView } from '#contracts/http/index';

/** A source that was registered just now, as its decided state gives it; the read model renders the same fields. */
export function newSourceView(id: string, name: string, definition: SourceDefinition, createdAt: string): SourceView {
  return {
    id,
    name,
    ...definitionView(definition),
    status: 'pending',
    file_count: 0,
    chunk_count: 0,
    version_ref: null,
    last_job_id: null,
    last_error: null,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** The fields of a source that its definition decides; those that do not apply are absent. */
export function definitionView(definition: SourceDefinition) {
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
