import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { FootnoteError, type SourceDefinition } from '#contracts';
import type { SourceView, UpdateSourceBody } from '#contracts/http/index';
import { plannedAt, type RegisteredSource, sourceDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { credentialsFor } from '#ingest/credentials/repository-credentials';
import type { Config } from '#platform';
import { getSource } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, CONFIG, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { LiveSources } from './live-sources.js';
import { registeredForTenant } from './registered-for-tenant.js';
import { SourceCredentials } from './source-credentials.js';
import { changedDefinition, touchesDefinition } from './source-definition.js';
import { requirePlace } from './source-place.js';
import { statedView } from './source-view.js';

/** Credentials that only a source with a URL of that origin can use. */
interface SealedFor {
  readonly url: string;
  readonly text: string;
}

/** Changes any creation field but the type; what is fetched changes at the next sync. */
export class UpdateSource extends Command<SourceView> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly body: UpdateSourceBody,
  ) {
    super();
  }
}

@Handles(UpdateSource)
export class UpdateSourceHandler implements ICommandHandler<UpdateSource> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly liveSources: LiveSources,
    private readonly credentials: SourceCredentials,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller, sourceId, body }: UpdateSource): Promise<SourceView> {
    await requirePlace(body.url, this.config.network);
    const absent = () => notFound('source_not_found', sourceId);
    requireId('source_not_found', sourceId);
    const sealed = await this.sealed(caller, sourceId, body);
    const { state, metadata, position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, await this.credentials.identified(caller, body)),
      stream: `source-${sourceId}`,
      decider: sourceDecider,
      expected: 'existing',
      absent,
      decide: (state) => {
        const current = registeredForTenant(state, absent);
        const definition = touchesDefinition(body)
          ? { definition: changedDefinition(current.definition, body, this.config.network) }
          : {};
        const credentials = this.changedCredentials(
          current,
          definition.definition ?? current.definition,
          body,
          sealed,
        );
        const name = body.name === undefined ? {} : { name: body.name };
        const { sync_interval_seconds } = body;
        const interval = sync_interval_seconds === undefined ? {} : { sync_interval_seconds };
        const data = { ...name, ...definition, ...credentials, ...interval };
        return sourceDecider.decide({ type: 'UpdateSource', data }, current);
      },
    });
    const current = await this.projected.reached('sources', position);
    if (position !== null) await this.liveSources.projection.waitFor(position, PROJECTION_WAIT_MS);
    const row = await this.readModel.ask(getSource, caller.tenantId, sourceId);
    if (!row || state.status !== 'registered') throw absent();
    if (current) return row;
    const updatedAt = metadata?.occurred_at ?? row.updated_at;
    return {
      ...row,
      ...statedView(state),
      ...schedule(row, state, updatedAt),
      updated_at: updatedAt,
    };
  }

  /**
   * Sealing takes a moment, so it comes before the decision, for the URL that the source has then.
   */
  private async sealed(
    { tenantId }: Caller,
    sourceId: string,
    { url, credentials }: UpdateSourceBody,
  ) {
    if (!credentials) return undefined;
    const { state } = await foldStream(this.store, sourceDecider, `source-${sourceId}`);
    if (state.status !== 'registered') return undefined;
    const target = url ?? state.definition.url;
    // The decision rejects invalid credentials: it comes after the check of the source's owner.
    const given = credentialsFor(target, credentials, this.config.network);
    if (typeof given === 'string') return undefined;
    return { url: target, text: await this.credentials.seal(tenantId, sourceId, target, given) };
  }

  private changedCredentials(
    current: RegisteredSource,
    changed: SourceDefinition,
    { credentials }: UpdateSourceBody,
    sealed: SealedFor | undefined,
  ): { readonly credentials?: string | null } {
    if (credentials === null) return { credentials: null };
    if (credentials === undefined) {
      if (current.credentials !== null)
        this.credentials.requireSameOrigin(current.definition, changed);
      return {};
    }
    this.credentials.check(changed, credentials);
    // Another change of the URL came in between: what was sealed for the one before would never
    // open.
    if (
      !sealed ||
      this.credentials.originOf(sealed.url) !== this.credentials.originOf(changed.url)
    ) {
      throw new FootnoteError(
        'concurrent_change',
        'The source is being changed by other requests; repeat the request',
      );
    }
    return { credentials: sealed.text };
  }
}

/** Returns the view that the projection will show after the change. */
function schedule(row: SourceView, state: RegisteredSource, updatedAt: string) {
  const { sync_interval_seconds } = state;
  if (sync_interval_seconds === row.sync_interval_seconds) return {};
  const next =
    row.status === 'syncing' ? null : plannedAt(row.id, sync_interval_seconds, updatedAt);
  return { sync_interval_seconds, next_sync_at: next };
}
