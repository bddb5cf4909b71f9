import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { policyChanges } from '#audit';
import { validationFailed } from '#contracts';
import type { PolicyRollbackView, RollbackPolicyBody } from '#contracts/http/index';
import { policyDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { PolicyWriter } from './policy-writer.js';

/** A rollback with the version that it made. */
export interface VersionedRollback {
  readonly rollback: PolicyRollbackView;
  readonly etag: string;
}

/** Restores the settings of an earlier revision by a new event. */
export class RollbackPolicy extends Command<VersionedRollback> {
  constructor(
    readonly caller: Caller,
    readonly body: RollbackPolicyBody,
    readonly ifMatch: string | undefined,
  ) {
    super();
  }
}

@Handles(RollbackPolicy)
export class RollbackPolicyHandler implements ICommandHandler<RollbackPolicy> {
  constructor(
    private readonly policies: PolicyWriter,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws FootnoteError `policy_changed`; `validation_failed` for an unknown revision. */
  async execute({ caller, body, ifMatch }: RollbackPolicy): Promise<VersionedRollback> {
    const { revision } = body;
    const settings = await this.settingsAt(caller.tenantId, revision);
    const command = { type: 'RestorePolicy', data: { settings, revision } } as const;
    const { before, after, policy, etag } = await this.policies.run({
      caller,
      command,
      body,
      ifMatch,
    });
    const changes = policyChanges(before, after);
    return { rollback: { changed: changes.length > 0, changes, policy }, etag };
  }

  private async settingsAt(tenantId: string, revision: number) {
    const until = { revision: BigInt(revision) };
    const folded = await foldStream(this.store, policyDecider, `policy-${tenantId}`, { until });
    if (folded.revision === until.revision) return folded.state.settings;
    const newest = folded.revision === 'none' ? 'none' : String(folded.revision);
    const message = `must be at most the newest revision of the policy, ${newest} (got ${revision})`;
    throw validationFailed([{ field: 'revision', message }]);
  }
}
