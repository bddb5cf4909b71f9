import { Inject, Injectable } from '@nestjs/common';

import type { TrailExportEnd, TrailExportKind } from '#contracts';
import { trailExportDecider } from '#domain';
import { commandContext, EVENT_STORE, type EventStore, handleCommand } from '#event-store';
import { CLOCK, type Clock, LOGGER, type Logger, uuidv5, uuidv7 } from '#platform';

import { filterDigest, originOf, type Reader } from './recorded-reads.js';

/** A started export; the caller ends it exactly once. */
export interface RunningExport {
  readonly exportId: string;
  /** Records the end. A failing log only logs a warning, since the records have left already. */
  end(records: number, end: TrailExportEnd): Promise<void>;
}

/**
 * Records exports of the trail and feeds that stay open: one event at the start and one at the end.
 * A feed that delivers these events records nothing for them.
 */
@Injectable()
export class TrailExports {
  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'append' | 'read'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records the start; no record may leave before it resolves.
   * @throws FootnoteError `engine_unavailable` if the log does not accept the event in time.
   */
  async start(
    reader: Reader,
    kind: TrailExportKind,
    filter: Readonly<Record<string, unknown>>,
  ): Promise<RunningExport> {
    const exportId = uuidv7();
    await this.run(reader, exportId, {
      type: 'StartTrailExport',
      data: { export_id: exportId, kind, filter_digest: filterDigest(filter) },
    });
    return {
      exportId,
      end: async (records, end) => {
        const data = { export_id: exportId, records, end };
        await this.run(reader, exportId, { type: 'EndTrailExport', data }).catch(
          (error: unknown) => {
            const fields = { err: error, request_id: reader.requestId, export_id: exportId };
            this.logger.warn(fields, 'audit: recording the end of an export failed');
          },
        );
      },
    };
  }

  private async run(
    reader: Reader,
    exportId: string,
    command: Parameters<typeof trailExportDecider.decide>[0],
  ): Promise<void> {
    await handleCommand({
      store: this.store,
      decider: trailExportDecider,
      stream: `trailexport-${exportId}`,
      expected: 'any',
      decide: (state) => trailExportDecider.decide(command, state),
      context: commandContext(
        this.clock,
        originOf(reader),
        uuidv5('trail-export', exportId, command.type),
      ),
      clock: this.clock,
    });
  }
}
