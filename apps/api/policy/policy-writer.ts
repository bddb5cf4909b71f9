import { Inject, Injectable } from '@nestjs/common';

import type { PolicySettings } from '#contracts';
import { type PolicyCommand, policyDecider } from '#domain';
import { getPolicy } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import type { VersionedPolicy } from './get-policy.js';
import { KnownPolicies } from './known-policies.js';
import { policyEtag, requireMatch } from './policy-etag.js';
import { policyView } from './policy-view.js';

/** A command on the caller's policy, with its request. */
export interface PolicyWrite {
  readonly caller: Caller;
  readonly command: PolicyCommand;
  readonly body: object | undefined;
  readonly ifMatch: string | undefined;
}

/** A written policy with its settings before the command. */
export interface WrittenPolicy extends VersionedPolicy {
  readonly before: PolicySettings;
  readonly after: PolicySettings;
}

/** Runs commands on policies, and waits until reads and searches see the result. */
@Injectable()
export class PolicyWriter {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly policies: KnownPolicies,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  /** @throws FootnoteError `policy_changed` if `If-Match` names other versions. */
  async run({ caller, command, body, ifMatch }: PolicyWrite): Promise<WrittenPolicy> {
    let before: PolicySettings | undefined;
    const { state, revision, position, metadata } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, body),
      stream: `policy-${caller.tenantId}`,
      decider: policyDecider,
      expected: 'any',
      decide: (current, at) => {
        requireMatch(ifMatch, at);
        before = current.settings;
        return policyDecider.decide(command, current);
      },
    });
    await this.projected.reached('policies', position);
    if (position !== null) await this.policies.projection.waitFor(position, PROJECTION_WAIT_MS);
    const row = await this.readModel.ask(getPolicy, caller.tenantId);
    const updatedAt = metadata?.occurred_at ?? row.updated_at;
    return {
      policy: policyView(state.settings, row.created_at, updatedAt),
      etag: policyEtag(revision),
      before: before ?? state.settings,
      after: state.settings,
    };
  }
}
