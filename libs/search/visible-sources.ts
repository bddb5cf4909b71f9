import {
  type Audience,
  type Position,
  PUBLIC_TENANT,
  SYSTEM_TENANT,
  TENANT_AUDIENCE,
} from '#contracts';

import { type LinkedPackages, NO_LINKS } from './linked-packages.js';
import type { LiveSourceLookup, LiveSourcesAt, SearchableSource } from './searchable-source.js';

/** The audiences that a request speaks as. Use cases set it; no request has a field for it. */
export type AudiencesAsked = readonly Audience[];

/** The caller's tenant, and nothing that it only links. */
export const OF_TENANT: AudiencesAsked = Object.freeze([TENANT_AUDIENCE]);

/** The same with the packages that it links. */
const WITH_LINKED: AudiencesAsked = Object.freeze([TENANT_AUDIENCE, { kind: 'linked' } as const]);

/**
 * Returns the audiences of every request unless its use case names others: a tenant without links
 * searches only its own sources.
 */
export function allOf({ packages }: LinkedPackages): AudiencesAsked {
  return packages.size === 0 ? OF_TENANT : WITH_LINKED;
}

/** One package, whether it is linked or not. */
export function ofPackage(packageId: string): AudiencesAsked {
  return [{ kind: 'linked', package_id: packageId }];
}

/** Documents of one conversation, in addition to the sources of its turns. */
export function ofConversation(conversationId: string): AudiencesAsked {
  return [{ kind: 'conversation', conversation_id: conversationId }];
}

/** The viewer of a use case. */
export interface Viewer {
  readonly tenantId: string;
  /** Links of the tenant, if the use case searches them. Default: none. */
  readonly links?: LinkedPackages;
}

/** The service's own documents, and nothing of the caller's. */
export const SERVICE_DOCS: AudiencesAsked = Object.freeze([{ kind: 'system' } as const]);

/** The fields of a source that define its viewers. */
export interface OwnedSource {
  readonly tenantId: string;
  readonly audience: Audience;
}

/**
 * Everything live that a caller sees: what may be searched and read, and what statistics are taken
 * over.
 */
export function visibleSources(
  live: Pick<LiveSourceLookup, 'of'>,
  viewer: Viewer,
  audiences: AudiencesAsked = OF_TENANT,
): LiveSourcesAt {
  const views = ownersOf(audiences, viewer.tenantId).map((owner) => live.of(owner));
  const sources = views.flatMap((view) =>
    view.sources.filter((source) => isVisible(source, viewer, audiences)),
  );
  // All are the state of the latest place too: a tenant that has no change there has none since its
  // own.
  const at = views.reduce<Position | null>((last, view) => later(last, view.at), null);
  return { sources, at };
}

/**
 * The same of one source; undefined for one that is not live as for one that the caller does not
 * see.
 */
export function visibleSource(
  live: Pick<LiveSourceLookup, 'one'>,
  viewer: Viewer,
  sourceId: string,
  audiences: AudiencesAsked = OF_TENANT,
): SearchableSource | undefined {
  const found = ownersOf(audiences, viewer.tenantId).flatMap(
    (owner) => live.one(owner, sourceId) ?? [],
  );
  return found.find((source) => isVisible(source, viewer, audiences));
}

/**
 * One function decides it, for what is live and for what was: an audience is seen by its own
 * tenant's requests alone.
 */
export function isVisible(
  { tenantId, audience }: OwnedSource,
  { tenantId: viewing, links = NO_LINKS }: Viewer,
  audiences: AudiencesAsked = OF_TENANT,
): boolean {
  return audiences.some(
    (asked) => ownersOf([asked], viewing).includes(tenantId) && isSame(audience, asked, links),
  );
}

/**
 * The same of a source's or a job's stream, which its tenant alone was let to. Without an audience
 * it is for the tenant.
 */
export function isForTenant(audience: Audience | undefined): boolean {
  return isFor(audience);
}

/**
 * Returns whether a source of the tenant is for the audience of a use case. Default: the tenant.
 */
export function isFor(audience: Audience | undefined, asked: Audience = TENANT_AUDIENCE): boolean {
  return isSame(audience ?? TENANT_AUDIENCE, asked, NO_LINKS);
}

/** The tenants whose sources the audiences can name, each once. */
export function ownersOf(audiences: AudiencesAsked, tenantId: string): readonly string[] {
  return [...new Set(audiences.flatMap((asked) => ownersOfOne(asked, tenantId)))];
}

/** A package belongs to everybody, or to the one tenant whose registry has it. */
function ownersOfOne({ kind }: Audience, tenantId: string): readonly string[] {
  if (kind === 'system') return [SYSTEM_TENANT];
  return kind === 'linked' ? [PUBLIC_TENANT, tenantId] : [tenantId];
}

function isSame(audience: Audience, asked: Audience, links: LinkedPackages): boolean {
  switch (asked.kind) {
    case 'tenant':
    case 'system':
      return audience.kind === asked.kind;
    case 'linked':
      return (
        audience.kind === 'linked' && isAskedPackage(audience.package_id, asked.package_id, links)
      );
    case 'conversation':
      return audience.kind === 'conversation' && audience.conversation_id === asked.conversation_id;
    case 'research':
      return (
        audience.kind === 'research' &&
        audience.repository === asked.repository &&
        audience.commit === asked.commit
      );
  }
}

/** The very package that the use case names, or one that the tenant links. */
function isAskedPackage(
  packageId: string | undefined,
  named: string | undefined,
  { packages }: LinkedPackages,
) {
  if (packageId === undefined) return false;
  return named === undefined ? packages.has(packageId) : packageId === named;
}

function later(a: Position | null, b: Position | null): Position | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
