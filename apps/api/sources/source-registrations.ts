import { Injectable } from '@nestjs/common';

import { type SourceEvent, TENANT_AUDIENCE } from '#contracts';
import { type RegisterSource, sourceDecider, type SourceState } from '#domain';
import type { CommandResult } from '#event-store';

import type { Caller } from '../auth/caller.js';
import { TenantTotals } from '../quota/tenant-totals.js';
import type { CommandIdentity } from '../write/command-identity.js';
import { StreamCommands } from '../write/stream-commands.js';

/** Registers sources, each in a stream of its own, as long as the tenant's plan has room. */
@Injectable()
export class SourceRegistrations {
  constructor(
    private readonly commands: StreamCommands,
    private readonly totals: TenantTotals,
  ) {}

  /**
   * The same identity again is no other source, and asks for no room. @throws FootnoteError
   * `quota_exceeded`.
   */
  register(
    { caller, identity }: { readonly caller: Caller; readonly identity: CommandIdentity },
    data: RegisterSource['data'],
  ): Promise<CommandResult<SourceState, SourceEvent>> {
    const own = (data.audience ?? TENANT_AUDIENCE).kind === 'tenant';
    const source = { own, bytes: data.definition.upload?.bytes ?? 0 };
    return this.totals.registering(caller.tenantId, data.source_id, source, (admit) =>
      this.commands.run({
        caller,
        identity,
        stream: `source-${data.source_id}`,
        decider: sourceDecider,
        expected: 'new',
        decide: (current) => {
          admit();
          return sourceDecider.decide({ type: 'RegisterSource', data }, current);
        },
      }),
    );
  }
}
