import { beforeFirst } from '#contracts/content/before-first';
import { redactUrls } from '#ingest/redact/redact-urls';

/**
 * Returns the path of a document as a citation shows it. A symbol cites an operation of an API
 * specification, so the path is the specification alone. Secrets of URLs are removed: sources of
 * early versions may have them in their paths.
 * @param isSpecification true for a document of an API specification.
 */
export function citedPath(path: string, isSpecification: boolean): string {
  return redactUrls(isSpecification ? beforeFirst(path, '#') : path);
}
