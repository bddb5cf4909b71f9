import type { ChatBody } from '#contracts/http/index';
import {
  allOf,
  type AudiencesAsked,
  type LinkedPackages,
  OF_TENANT,
  ofConversation,
  ofPackage,
  SERVICE_DOCS,
} from '#search';

/**
 * Returns the audiences that a question is searched in. If it asks for the service's own documents,
 * these alone. Otherwise the tenant's sources, its linked packages unless it declines them, the
 * packages that the question mentions, and the documents of its conversation.
 */
export function audiencesOf(
  { scope, include_global }: Pick<ChatBody, 'scope' | 'include_global'>,
  links: LinkedPackages,
  mentioned: readonly string[] = [],
  conversationId?: string,
): AudiencesAsked {
  if (scope === 'service_docs') return SERVICE_DOCS;
  const own = include_global ? allOf(links) : OF_TENANT;
  const documents = conversationId === undefined ? [] : ofConversation(conversationId);
  return [...own, ...mentioned.flatMap(ofPackage), ...documents];
}
