import { Inject, Injectable } from '@nestjs/common';

import { type Position, type PriorityKind, priorityKind, type SourceDefinition } from '#contracts';
import { sourceDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream, type ReadEvent } from '#event-store';
import type { Config } from '#platform';
import { listLiveSources } from '#read-model';
import {
  type LiveSourcesAt,
  type RepositoryPages,
  repositoryPages,
  type SearchableSource,
} from '#search';

import { CONFIG } from '../engines/engines.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

const TYPES = ['JobCompleted', 'SourceUpdated', 'SourceRemoved'] as const;

/**
 * The live generation of every source of every tenant, for every audience: one event publishes or
 * removes it for searches. `visibleSources` decides what a caller sees.
 */
@Injectable()
export class LiveSources {
  private readonly byTenant = new Map<string, Map<string, SearchableSource>>();
  /** Position of the last change per tenant; absent for tenants without changes. */
  private readonly changedAt = new Map<string, Position>();
  private loadedAt: Position | null = null;
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.projection = projections.followRows({
      name: 'live-sources',
      types: TYPES,
      from: { projection: 'sources', query: listLiveSources },
      replace: (rows, position) => this.replace(rows, position),
      apply: (event) => this.apply(event),
    });
  }

  /**
   * Everything live of a tenant, for whatever audience, with its position in the log: from there it
   * can be reported again.
   */
  of(tenantId: string): LiveSourcesAt {
    const sources = [...(this.byTenant.get(tenantId)?.values() ?? [])];
    return { sources, at: this.changedAt.get(tenantId) ?? this.loadedAt };
  }

  /** Everything live of every tenant. */
  *all(): Generator<SearchableSource> {
    for (const ofTenant of this.byTenant.values()) yield* ofTenant.values();
  }

  /** One of a tenant, for whatever audience. */
  one(tenantId: string, sourceId: string): SearchableSource | undefined {
    return this.byTenant.get(tenantId)?.get(sourceId);
  }

  private replace(
    sources: Awaited<ReturnType<typeof listLiveSources>>,
    position: Position | null,
  ): void {
    this.byTenant.clear();
    this.changedAt.clear();
    this.loadedAt = position;
    for (const row of sources) {
      this.put({
        tenantId: row.tenant_id,
        sourceId: row.source_id,
        generation: row.generation,
        name: row.name,
        audience: row.audience,
        kind: priorityKind(row.source_type, row.docs_format),
        versionRef: row.version_ref,
        pages: this.pagesOf(row.url),
        syncedAt: Date.parse(row.synced_at),
      });
    }
  }

  private async apply(event: ReadEvent<(typeof TYPES)[number]>): Promise<void> {
    const tenantId = event.tenant_id;
    if (event.type === 'SourceRemoved') {
      if (this.byTenant.get(tenantId)?.delete(event.data.source_id))
        this.changedAt.set(tenantId, event.position);
    } else if (event.type === 'SourceUpdated') {
      const known = this.one(tenantId, event.data.source_id);
      if (known) this.put({ ...known, ...describe(event.data) }, event.position);
    } else if (event.type === 'JobCompleted') {
      const { source_id: sourceId, generation, version_ref: versionRef } = event.data;
      const known =
        this.one(tenantId, sourceId) ?? (await this.described(sourceId, event.position));
      if (!known) return;
      const syncedAt = Date.parse(event.occurred_at);
      const { name, audience, kind } = known;
      const pages = this.pagesOf(event.data.url ?? null);
      this.put(
        { tenantId, sourceId, generation, name, audience, kind, versionRef, pages, syncedAt },
        event.position,
      );
    }
  }

  /**
   * Returns name, audience and kind, at a position of the log, of a source that goes live for the
   * first time. Null when it is removed, which overrides. Later events are not read: they are
   * followed, and a replay must be able to show the same.
   */
  private async described(
    sourceId: string,
    until: Position,
  ): Promise<Pick<SearchableSource, 'name' | 'audience' | 'kind'> | null> {
    const { state } = await foldStream(this.store, sourceDecider, `source-${sourceId}`, {
      until: { position: until },
    });
    if (state.status !== 'registered') return null;
    return { name: state.name, audience: state.audience, kind: kindOf(state.definition) };
  }

  /**
   * @param url where the live generation was read from; the source's own may have changed since.
   */
  private pagesOf(url: string | null): RepositoryPages | null {
    return repositoryPages(url, this.config.git.hostKinds);
  }

  private put(source: SearchableSource, at?: Position): void {
    if (at !== undefined) this.changedAt.set(source.tenantId, at);
    const ofTenant = this.byTenant.get(source.tenantId) ?? new Map<string, SearchableSource>();
    this.byTenant.set(source.tenantId, ofTenant.set(source.sourceId, source));
  }
}

function describe(data: { name?: string | undefined; definition?: SourceDefinition | undefined }): {
  name?: string;
  kind?: PriorityKind;
} {
  return {
    ...(data.name === undefined ? {} : { name: data.name }),
    ...(data.definition === undefined ? {} : { kind: kindOf(data.definition) }),
  };
}

function kindOf(definition: SourceDefinition): PriorityKind {
  return priorityKind(definition.source_type, definition.docs_format);
}
