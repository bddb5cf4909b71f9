import { Inject, Injectable } from '@nestjs/common';

import type { Position } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, type Clock, type HealthCheck, probe, SharedReading } from '#platform';
import type { ProjectionName } from '#read-model';
import { type LiveSource, SEARCH_INDEX, type SearchIndex } from '#search-index';

import {
  type ApiReadModel,
  PROCESS_PART,
  type ProcessPart,
  PROJECTIONS,
  READ_MODEL,
} from '../engines/engines.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { LiveSources } from '../sources/live-sources.js';
import type { ReadyView } from './health.dto.js';

/**
 * Engines are asked for `GET /health/ready` at most this often, milliseconds: nobody needs
 * credentials for it.
 */
const ENGINES_ASKED_MS = 1_000;

/**
 * Checks whether this process can serve: every engine answers, the in-memory state has caught up,
 * and no shutdown has begun.
 */
@Injectable()
export class Readiness {
  private readonly engines: SharedReading<readonly HealthCheck[]>;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
    private readonly inMemory: InMemoryProjections,
    private readonly liveSources: LiveSources,
    private readonly contentGaps: ContentGaps,
    private readonly lifecycle: Lifecycle,
    @Inject(PROCESS_PART) private readonly part: ProcessPart | null,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.engines = new SharedReading(() => this.askEngines(), { forMs: ENGINES_ASKED_MS, clock });
  }

  /**
   * Returns the readiness for callers without credentials. The process's own state is of this
   * moment, that of the engines of the last second. So engines are queried once a second at most,
   * however many callers there are.
   */
  async reported(): Promise<ReadyView> {
    return this.view(await this.engines.get());
  }

  /** The same, asking every engine now. */
  async check(): Promise<ReadyView> {
    return this.view(await this.askEngines());
  }

  private view(engines: readonly HealthCheck[]): ReadyView {
    const lifecycle = { name: 'lifecycle', ok: this.lifecycle.takesRequests };
    const checks = [lifecycle, this.followersCheck(), ...engines];
    return { status: checks.every(({ ok }) => ok) ? 'ready' : 'not_ready', checks };
  }

  private async askEngines(): Promise<readonly HealthCheck[]> {
    const head = this.store.head();
    const checks = await Promise.all([
      probe('event_store', async () => void (await head)),
      probe('search_index', () => this.generationsCheck()),
      ...PROJECTIONS.map((name) =>
        probe(`projection_${name}`, () => this.projectionNote(name, head)),
      ),
    ]);
    return [...checks, ...(this.part?.checks() ?? [])];
  }

  /**
   * Reports live generations that the index has not loaded, as after a lost index folder: searches
   * answer 503 for them. A generation that cannot be loaded because its content is missing delays
   * nobody: searches answer for the others and report it.
   */
  private async generationsCheck(): Promise<string | { note: string } | undefined> {
    const key = ({ tenantId, sourceId, generation }: LiveSource) =>
      `${tenantId}/${sourceId}/${generation}`;
    const loaded = new Set((await this.index.generations()).map(key));
    const missing = [...this.liveSources.all()].filter((source) => !loaded.has(key(source)));
    if (missing.length === 0) return undefined;
    await this.contentGaps.refresh();
    const loading = missing.filter((source) => !this.contentGaps.isLost(source)).length;
    return loading === 0
      ? { note: `content of ${missing.length} sources is missing` }
      : `loading: ${loading} sources`;
  }

  /**
   * Reports the position of the projection. Even short of the head it may lack nothing, since it
   * sees only events of its own.
   */
  private async projectionNote(
    name: ProjectionName,
    newest: Promise<Position | null>,
  ): Promise<{ note: string }> {
    const [head, position] = await Promise.all([newest, this.readModel.positionOf(name)]);
    return {
      note:
        head === null || (position !== null && position >= head)
          ? 'at the head'
          : `at ${position ?? 'the start'}`,
    };
  }

  private followersCheck(): HealthCheck {
    const behind = this.inMemory.all.filter(({ ready }) => !ready);
    if (behind.length === 0) return { name: 'followers', ok: true };
    const names = (cutOff: boolean) =>
      behind
        .filter(({ hasCaughtUp }) => hasCaughtUp === cutOff)
        .map(({ name }) => name)
        .join(', ');
    const [starting, cut] = [names(false), names(true)];
    const parts = [
      starting && `catching up: ${starting}`,
      cut && `cut off from the event log: ${cut}`,
    ];
    return { name: 'followers', ok: false, detail: parts.filter(Boolean).join('; ') };
  }
}
