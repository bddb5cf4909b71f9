import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { type EventMetadata, type ScipUpload, usedScipUploads } from '#contracts';
import type { ScipIndexList, ScipIndexView } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { getSource } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { LiveSources } from '../sources/live-sources.js';
import { Handles } from '../use-cases/handles.js';
import { ScipTables } from './scip-tables.js';

/** Lists the SCIP indexes of a source that are used. */
export class ListScip extends Query<ScipIndexList> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
  ) {
    super();
  }
}

/** An upload with its event's metadata. */
interface Uploaded {
  readonly scip: ScipUpload;
  readonly metadata: EventMetadata;
}

/** Reads the stream of the source: the read model does not have time and actor of uploads. */
@Handles(ListScip)
export class ListScipHandler implements IQueryHandler<ListScip> {
  constructor(
    private readonly tables: ScipTables,
    private readonly liveSources: LiveSources,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws FootnoteError `source_not_found`. */
  async execute({ caller, sourceId }: ListScip): Promise<ScipIndexList> {
    const id = requireId('source_not_found', sourceId);
    if (!(await this.readModel.ask(getSource, caller.tenantId, id)))
      throw notFound('source_not_found', sourceId);
    const uploads = await this.uploadsOf(id);
    const live = this.liveSources.one(caller.tenantId, id);
    const blobs = uploads.map(({ scip }) => scip.blob);
    const current = live ? await this.tables.currentDocuments(blobs, live) : [];
    const indexes = uploads.map((upload, at) => viewOf(upload, current[at] ?? null));
    return { source_id: id, indexes };
  }

  /** Returns the used uploads of a source with their newest event, ordered by name. */
  private async uploadsOf(sourceId: string): Promise<readonly Uploaded[]> {
    const newest = new Map<string, EventMetadata>();
    const { state } = await foldStream(this.store, sourceDecider, `source-${sourceId}`, {
      onEvent: ({ type, data, metadata }) => {
        if (type === 'SourceScipUploaded') newest.set(data.scip.name, metadata);
      },
    });
    if (state.status !== 'registered') return [];
    return usedScipUploads(state.scip)
      .flatMap((scip) => {
        const metadata = newest.get(scip.name);
        return metadata ? [{ scip, metadata }] : [];
      })
      .sort((a, b) => (a.scip.name < b.scip.name ? -1 : 1));
  }
}

function viewOf({ scip, metadata }: Uploaded, current_documents: number | null): ScipIndexView {
  const { name, version_ref, generation, documents, occurrences, symbols, bytes } = scip;
  return {
    name,
    version_ref,
    generation,
    documents,
    current_documents,
    occurrences,
    symbols,
    left_out: scip.left_out ?? null,
    stored_bytes: bytes,
    uploaded_at: metadata.occurred_at,
    uploaded_by: { type: metadata.actor.type, id: metadata.actor.id },
  };
}
