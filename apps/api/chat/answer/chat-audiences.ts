import type { ChatBody } from '#contracts/http/index';

import type { LinkedPackages } from '../../package-links/known-links.js';
import { allOf, OF_TENANT, ofPackage, SERVICE_DOCS, type AudiencesAsked } from '../../sources/visible-sources.js';

/**
 * What a question is looked up in: the service's own documents alone where it asks for them; else what its tenant has, what
 * it links unless it declines that, and the packages that the question mentions.
 */
export function audiencesOf(
  { scope, include_global }: Pick<ChatBody, 'scope' | 'include_global'>,
  links: LinkedPackages,
  mentioned: readonly string[] = [],
): AudiencesAsked {
  if (scope === 'service_docs') return SERVICE_DOCS;
  return [...(include_global ? allOf(links) : OF_TENANT), ...mentioned.flatMap(ofPackage)];
}
