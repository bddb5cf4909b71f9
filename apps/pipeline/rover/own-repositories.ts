import type { DomainEvent, SourceDefinition } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';
import { isForTenant, repositoryAddress } from '#search';

import { foldState } from '../reactor/fold-state.js';
import type { Reactor } from '../reactor/reactor.types.js';
import type { ReadSource } from './research-sources.js';

/** The event types that {@link OwnRepositories} folds. */
const OWN_REPOSITORY_TYPES = [
  'SourceRegistered',
  'SourceUpdated',
  'SourceRemoved',
  'JobRequested',
  'JobCompleted',
  'JobFailed',
  'JobCancelled',
] as const satisfies readonly DomainEvent['type'][];

/** The scope of a source, from a revision of its stream on. */
interface Definition {
  readonly revision: number;
  /** True if no pattern leaves out files. */
  readonly isWhole: boolean;
}

/** The repository source of a tenant. */
interface OwnSource {
  readonly sourceId: string;
  readonly tenantId: string;
  /** In order; the earliest one that an open sync may read, and those after it. */
  readonly definitions: readonly Definition[];
  /** The open sync, if there is one, and whether it reads the whole repository. */
  readonly sync: { readonly jobId: string; readonly isWhole: boolean } | null;
  /** The generation that is live; null unless it has a whole repository. */
  readonly live: LiveRepository | null;
}

interface LiveRepository {
  readonly place: string;
  readonly read: ReadSource;
}

/** The repositories that tenants have as sources of their own, folded from the log into memory. */
export class OwnRepositories {
  private readonly sources = new Map<string, OwnSource>();
  /** Ids of the sources that are live at a place, in the order of their publication. */
  private readonly byPlace = new Map<string, Set<string>>();

  *save(): Generator<OwnSource> {
    yield* this.sources.values();
  }

  load(source: OwnSource): void {
    this.put(source);
  }

  clear(): void {
    this.sources.clear();
    this.byPlace.clear();
  }

  /** Returns the live sources of a tenant that have a repository, whole, at a commit. */
  at(tenantId: string, url: string, commit: string): readonly ReadSource[] {
    const ids = this.byPlace.get(placeOf(tenantId, url, commit) ?? '') ?? [];
    return [...ids].flatMap((id) => this.sources.get(id)?.live?.read ?? []);
  }

  apply(event: RecordedDomainEvent): void {
    switch (event.type) {
      case 'SourceRegistered': {
        const { source_id: sourceId, definition, audience } = event.data;
        if (definition.source_type !== 'repo' || !isForTenant(audience)) return;
        const { tenant_id: tenantId } = event.metadata;
        const definitions = [definitionAt(event.revision, definition)];
        return this.put({ sourceId, tenantId, definitions, sync: null, live: null });
      }
      case 'SourceUpdated': {
        const { source_id, definition } = event.data;
        if (!definition) return;
        return this.change(source_id, ({ definitions }) => ({
          definitions: [...definitions, definitionAt(event.revision, definition)],
        }));
      }
      case 'SourceRemoved':
        return this.remove(event.data.source_id);
      case 'JobRequested':
        return this.change(event.data.source_id, ({ definitions }) => {
          const { job_id: jobId, source_revision: revision = Infinity, definition } = event.data;
          const at = definitions.findLastIndex((each) => each.revision <= revision);
          const isWhole = definition ? isWholeOf(definition) : (definitions[at]?.isWhole ?? false);
          return { definitions: definitions.slice(Math.max(0, at)), sync: { jobId, isWhole } };
        });
      case 'JobCompleted':
        return this.completed(event);
      case 'JobFailed':
      case 'JobCancelled': {
        const { source_id, job_id } = event.data;
        return this.change(source_id, ({ sync }) => (sync?.jobId === job_id ? { sync: null } : {}));
      }
      default:
        return;
    }
  }

  private completed({ data }: Extract<RecordedDomainEvent, { type: 'JobCompleted' }>): void {
    const { source_id: sourceId, job_id, generation, manifest, version_ref, url } = data;
    this.change(sourceId, ({ tenantId, sync }) => {
      // The newest event may come twice.
      if (sync?.jobId !== job_id) return {};
      const place = sync.isWhole && url !== undefined ? placeOf(tenantId, url, version_ref) : null;
      const { file_count: files, chunk_count: chunks } = data;
      const read = { sourceId, generation, manifest, files, chunks };
      return { sync: null, live: place === null ? null : { place, read } };
    });
  }

  private change(sourceId: string, changes: (source: OwnSource) => Partial<OwnSource>): void {
    const source = this.sources.get(sourceId);
    if (!source) return;
    const changed = { ...source, ...changes(source) };
    if (changed.live !== source.live) this.remove(sourceId);
    this.put(changed);
  }

  private put(source: OwnSource): void {
    const { sourceId, live } = source;
    this.sources.set(sourceId, source);
    if (!live) return;
    const known = this.byPlace.get(live.place);
    if (known) known.add(sourceId);
    else this.byPlace.set(live.place, new Set([sourceId]));
  }

  private remove(sourceId: string): void {
    const place = this.sources.get(sourceId)?.live?.place;
    this.sources.delete(sourceId);
    if (place === undefined) return;
    const ids = this.byPlace.get(place);
    ids?.delete(sourceId);
    if (ids?.size === 0) this.byPlace.delete(place);
  }
}

/** Returns the reactor that folds {@link OwnRepositories} and does nothing else. */
export function ownRepositoriesReactor(repositories: OwnRepositories): Reactor {
  return {
    name: 'own-repositories',
    eventTypes: OWN_REPOSITORY_TYPES,
    apply: (event) => {
      repositories.apply(event);
      return false;
    },
    state: foldState(1, repositories),
  };
}

/** Returns the key of a repository at a commit; null if its address is invalid. */
function placeOf(tenantId: string, url: string, commit: string): string | null {
  const address = repositoryAddress(url);
  return address === null ? null : `${tenantId} ${commit} ${address}`;
}

function definitionAt(revision: bigint, definition: SourceDefinition): Definition {
  return { revision: Number(revision), isWhole: isWholeOf(definition) };
}

function isWholeOf({ include_patterns, exclude_patterns }: SourceDefinition): boolean {
  return include_patterns.length === 0 && exclude_patterns.length === 0;
}
