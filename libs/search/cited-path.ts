import { beforeFirst } from '#contracts/content/before-first';
import { redactUrls } from '#ingest/redact/redact-urls';

/**
 * Returns the path of a document as a citation shows it: an operation of an API specification is
 * cited by its symbol, so its path is the specification alone. Sources that were added before
 * URLs with secrets were rejected may have a secret in their paths; it is removed.
 * @param isSpecification true for a document of an API specification.
 */
export function citedPath(path: string, isSpecification: boolean): string {
  return redactUrls(isSpecification ? beforeFirst(path, '#') : path);
}
