import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { UpdatePolicyBody } from '#contracts/http/index';
import type { PolicyChanges, PolicyCommand } from '#domain';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import type { VersionedPolicy } from './get-policy.js';
import { PolicyWriter } from './policy-writer.js';

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
  constructor(private readonly policies: PolicyWriter) {}

  async execute({ caller, body, ifMatch }: ChangePolicy): Promise<VersionedPolicy> {
    const command: PolicyCommand = body
      ? { type: 'UpdatePolicy', data: { changes: policyChangesOf(body) } }
      : { type: 'ResetPolicy', data: {} };
    return this.policies.run({ caller, command, body: body ?? undefined, ifMatch });
  }
}

/** Field by field: a body is never spread into an event. */
export function policyChangesOf(body: UpdatePolicyBody): PolicyChanges {
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
