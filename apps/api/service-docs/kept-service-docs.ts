import { Inject, Injectable } from '@nestjs/common';

import { serviceDocsDefinition, SYSTEM_TENANT } from '#contracts';
import { sourceDecider } from '#domain';
import { readServiceDocs } from '#ingest/service-docs/service-docs';
import { backOffMs, type Config, LOGGER, type Logger, sleep, uuidv5, uuidv7 } from '#platform';

import { CONFIG } from '../engines/engines.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { OwnerCommands } from '../packages/owner-commands.js';
import { PackageSyncs } from '../packages/package-syncs.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { LiveSources } from '../sources/live-sources.js';

/** One source of the service's own, the same for every process. */
export const SERVICE_DOCS_SOURCE = uuidv5('service-docs');
const NAME = 'Footnote documentation';

const PAUSES = { firstMs: 5_000, longestMs: 600_000 };
/** Looks for about an hour and a half: who has no worker for so long starts again anyway. */
const MAX_LOOKS = 16;

/**
 * Indexes the documentation of this build for the audience `system`, which no tenant's requests
 * see: at the first start, and again where it has changed. Ids are derived from the content and the
 * job before, so that processes that start at once open one job. It runs in the background; a
 * failure disturbs nothing else.
 */
@Injectable()
export class KeptServiceDocs {
  private started = false;

  constructor(
    private readonly commands: OwnerCommands,
    private readonly syncs: PackageSyncs,
    private readonly liveSources: LiveSources,
    private readonly contentGaps: ContentGaps,
    private readonly lifecycle: Lifecycle,
    @Inject(CONFIG) private readonly config: Pick<Config, 'serviceDocs'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Begins, once, where the configuration wants it; returns at once. */
  start(): void {
    if (this.started || !this.config.serviceDocs) return;
    this.started = true;
    void this.keep();
  }

  private async keep(): Promise<void> {
    const { draining } = this.lifecycle;
    for (let look = 1; look <= MAX_LOOKS && !draining.aborted; look += 1) {
      try {
        if (await this.isDone()) return;
      } catch (error) {
        if (!draining.aborted)
          this.logger.warn({ err: error }, 'service docs: indexing failed; retrying');
      }
      await sleep(backOffMs(PAUSES, look), draining, { unref: true });
    }
  }

  /** Asks for it where it is not; true where it is. */
  private async isDone(): Promise<boolean> {
    const { version } = await readServiceDocs();
    const live = this.liveSources.one(SYSTEM_TENANT, SERVICE_DOCS_SOURCE);
    const isLost = live !== undefined && this.contentGaps.isLost(live);
    if (live?.versionRef === version && !isLost) return true;
    const requestId = uuidv7();
    await this.define(version, requestId);
    const content = { ownerTenantId: SYSTEM_TENANT, sourceId: SERVICE_DOCS_SOURCE };
    await this.syncs.ensure(content, { requestId, again: live !== undefined });
    return false;
  }

  private async define(version: string, requestId: string): Promise<void> {
    const definition = serviceDocsDefinition(version);
    const audience = { kind: 'system' } as const;
    await this.commands.run({
      ownerTenantId: SYSTEM_TENANT,
      requestId,
      decider: sourceDecider,
      commandId: uuidv5('service-docs', version, requestId),
      stream: `source-${SERVICE_DOCS_SOURCE}`,
      decide: (current) =>
        current.status === 'absent'
          ? sourceDecider.decide(
              {
                type: 'RegisterSource',
                data: { source_id: SERVICE_DOCS_SOURCE, name: NAME, definition, audience },
              },
              current,
            )
          : sourceDecider.decide({ type: 'UpdateSource', data: { definition } }, current),
    });
  }
}
