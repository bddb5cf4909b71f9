import { PUBLIC_TENANT, SYSTEM_TENANT, TENANT_AUDIENCE, type Audience, type Position } from '#contracts';
import type { RegisteredSource, SourceState } from '#domain';

import type { Caller } from '../auth/caller.js';
import type { LiveSources, LiveSourcesAt, SearchableSource } from './live-sources.js';

/** The audiences that a request speaks as. Use cases set it; no request has a field for it. */
export type AudiencesAsked = readonly Audience[];

/** What every request speaks as unless its use case says otherwise. */
export const OF_TENANT: AudiencesAsked = Object.freeze([TENANT_AUDIENCE]);

/** The service's own documents, and nothing of the caller's. */
export const SERVICE_DOCS: AudiencesAsked = Object.freeze([{ kind: 'system' } as const]);

/** What of a source decides who sees it. */
export interface OwnedSource {
  readonly tenantId: string;
  readonly audience: Audience;
}

/** Everything live that a caller sees: what may be searched and read, and what statistics are taken over. */
export function visibleSources(
  live: Pick<LiveSources, 'of'>,
  caller: Pick<Caller, 'tenantId'>,
  audiences: AudiencesAsked = OF_TENANT,
): LiveSourcesAt {
  const views = ownersOf(audiences, caller.tenantId).map((owner) => live.of(owner));
  const sources = views.flatMap((view) => view.sources.filter((source) => isVisible(source, caller, audiences)));
  // All are the state of the latest place too: a tenant that has no change there has none since its own.
  const at = views.reduce<Position | null>((last, view) => later(last, view.at), null);
  return { sources, at };
}

/** The same of one source; undefined for one that is not live as for one that the caller does not see. */
export function visibleSource(
  live: Pick<LiveSources, 'one'>,
  caller: Pick<Caller, 'tenantId'>,
  sourceId: string,
  audiences: AudiencesAsked = OF_TENANT,
): SearchableSource | undefined {
  const found = ownersOf(audiences, caller.tenantId).flatMap((owner) => live.one(owner, sourceId) ?? []);
  return found.find((source) => isVisible(source, caller, audiences));
}

/** One function decides it, for what is live and for what was: an audience is seen by its own tenant's requests alone. */
export function isVisible(
  { tenantId, audience }: OwnedSource,
  caller: Pick<Caller, 'tenantId'>,
  audiences: AudiencesAsked = OF_TENANT,
): boolean {
  return audiences.some((asked) => tenantId === ownerOf(asked, caller.tenantId) && isSame(audience, asked));
}

/** The same of a source's or a job's stream, which its tenant alone was let to. Without an audience it is for the tenant. */
export function isForTenant(audience: Audience | undefined): boolean {
  return (audience ?? TENANT_AUDIENCE).kind === 'tenant';
}

/**
 * The source that a request of its tenant changes.
 * @throws what `absent` makes where there is none, also where it was removed or is for another audience.
 */
export function registeredForTenant(state: SourceState, absent: () => Error): RegisteredSource {
  if (state.status !== 'registered' || !isForTenant(state.audience)) throw absent();
  return state;
}

/** The tenants whose sources the audiences can name, each once. */
export function ownersOf(audiences: AudiencesAsked, tenantId: string): readonly string[] {
  return [...new Set(audiences.map((asked) => ownerOf(asked, tenantId)))];
}

function ownerOf({ kind }: Audience, tenantId: string): string {
  if (kind === 'system') return SYSTEM_TENANT;
  return kind === 'linked' ? PUBLIC_TENANT : tenantId;
}

function isSame(audience: Audience, asked: Audience): boolean {
  switch (asked.kind) {
    case 'tenant':
    case 'system':
      return audience.kind === asked.kind;
    case 'linked':
      // Seen by tenants that link it, and nothing links yet.
      return false;
    case 'conversation':
      return audience.kind === 'conversation' && audience.conversation_id === asked.conversation_id;
    case 'research':
      return audience.kind === 'research' && audience.job_id === asked.job_id;
  }
}

function later(a: Position | null, b: Position | null): Position | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
