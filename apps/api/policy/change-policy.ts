import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { UpdatePolicyBody } from '#contracts/http/index';
import { type PolicyChanges, type PolicyCommand, policyDecider } from '#domain';
import { getPolicy } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import type { VersionedPolicy } from './get-policy.js';
import { KnownPolicies } from './known-policies.js';
import { policyEtag, requireMatch } from './policy-etag.js';
import { policyView } from './policy-view.js';

/**
 * Changes the settings that the body names, or puts all at their defaults where there is no body.
 */
export class ChangePolicy extends Command<VersionedPolicy> {
  constructor(
    readonly caller: Caller,
    readonly body: UpdatePolicyBody | null,
    readonly ifMatch: string | undefined,
  ) {
    super();
  }
}

@Handles(ChangePolicy)
export class ChangePolicyHandler implements ICommandHandler<ChangePolicy> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly policies: KnownPolicies,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  async execute({ caller, body, ifMatch }: ChangePolicy): Promise<VersionedPolicy> {
    const stream = `policy-${caller.tenantId}` as const;
    const command: PolicyCommand = body
      ? { type: 'UpdatePolicy', data: { changes: changesOf(body) } }
      : { type: 'ResetPolicy', data: {} };
    const { state, revision, position, metadata } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, body ?? undefined),
      stream,
      decider: policyDecider,
      expected: 'any',
      decide: (current, at) => {
        requireMatch(ifMatch, at);
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
    };
  }
}

/** Field by field: a body is never spread into an event. */
function changesOf(body: UpdatePolicyBody): PolicyChanges {
  const { source_priorities: weights } = body;
  return defined({
    staleness_budget_seconds: body.staleness_budget_seconds,
    source_priorities:
      weights &&
      defined({
        repo: weights.repo,
        docs_html: weights.docs_html,
        docs_openapi: weights.docs_openapi,
      }),
    min_evidence_count: body.min_evidence_count,
    min_evidence_score: body.min_evidence_score,
    enforce_staleness: body.enforce_staleness,
    enforce_refusal: body.enforce_refusal,
  });
}

function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
