import { Inject, Injectable } from '@nestjs/common';

import type { Position, PriorityKind, RecordedEvent, SourceDefinition, SourceType } from '#contracts';
import { sourceDecider } from '#domain';
import { EVENT_STORE, foldStream, type EventStore } from '#event-store';
import { LOGGER, type Logger } from '#platform';
import type { LiveSource } from '#search-index';

import { READ_MODEL, type ApiReadModel } from '../engines.js';
import { Follower } from './follower.js';
import { readEvent } from './read-event.js';

/** A source that searches see, at the generation they see. */
export interface SearchableSource extends LiveSource {
  readonly name: string;
  readonly kind: PriorityKind;
  readonly versionRef: string;
  /** End of the sync that published or confirmed the generation, milliseconds since the epoch. */
  readonly syncedAt: number;
}

/** The live generation of every source of every tenant: what is published and removed is so for searches by one event. */
@Injectable()
export class LiveSourcesFollower {
  private readonly byTenant = new Map<string, Map<string, SearchableSource>>();
  readonly follower: Follower;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.follower = new Follower({
      name: 'live-sources',
      types: ['JobCompleted', 'SourceUpdated', 'SourceRemoved'],
      load: () => this.load(),
      apply: (event) => this.apply(event),
      store,
      logger,
    });
  }

  /** Everything live of a tenant. */
  liveOf(tenantId: string): readonly SearchableSource[] {
    return [...(this.byTenant.get(tenantId)?.values() ?? [])];
  }

  /** Everything live of every tenant. */
  *all(): Generator<SearchableSource> {
    for (const ofTenant of this.byTenant.values()) yield* ofTenant.values();
  }

  liveSource(tenantId: string, sourceId: string): SearchableSource | undefined {
    return this.byTenant.get(tenantId)?.get(sourceId);
  }

  private async load(): Promise<Position | 'start'> {
    const { sources, position } = await this.readModel.liveSources();
    this.byTenant.clear();
    for (const row of sources) {
      this.put({
        tenantId: row.tenant_id,
        sourceId: row.source_id,
        generation: row.generation,
        name: row.name,
        kind: priorityKind(row.source_type, row.docs_format ?? undefined),
        versionRef: row.version_ref,
        syncedAt: Date.parse(row.synced_at),
      });
    }
    return position ?? 'start';
  }

  private async apply(recorded: RecordedEvent): Promise<void> {
    const event = readEvent(recorded);
    const tenantId = recorded.metadata.tenant_id;
    if (event?.type === 'SourceRemoved') {
      this.byTenant.get(tenantId)?.delete(event.data.source_id);
    } else if (event?.type === 'SourceUpdated') {
      const known = this.liveSource(tenantId, event.data.source_id);
      if (known) this.put({ ...known, ...describe(event.data) });
    } else if (event?.type === 'JobCompleted') {
      const { source_id: sourceId, generation, version_ref: versionRef } = event.data;
      const known = this.liveSource(tenantId, sourceId) ?? (await this.described(sourceId));
      if (!known) return;
      const syncedAt = Date.parse(recorded.metadata.occurred_at);
      this.put({ tenantId, sourceId, generation, name: known.name, kind: known.kind, versionRef, syncedAt });
    }
  }

  /** Name and kind of a source that goes live for the first time; null when it is removed, which overrides. */
  private async described(sourceId: string): Promise<{ name: string; kind: PriorityKind } | null> {
    const { state } = await foldStream(this.store, sourceDecider, `source-${sourceId}`);
    if (state.status !== 'registered') return null;
    return { name: state.name, kind: kindOf(state.definition) };
  }

  private put(source: SearchableSource): void {
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

function priorityKind(type: SourceType, format: string | undefined): PriorityKind {
  if (type !== 'docs') return type;
  return format === 'openapi' ? 'docs_openapi' : 'docs_html';
}
