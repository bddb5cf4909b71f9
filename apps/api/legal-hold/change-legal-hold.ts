import { FootnoteError, type TenantEvent } from '#contracts';
import { tenantDecider, type TenantState } from '#domain';
import {
  commandContext,
  type CommandOrigin,
  type CommandResult,
  type EventStore,
  handleCommand,
} from '#event-store';
import type { Clock, KeyRing } from '#platform';

import { namesVersion, versionEtag } from '../edge/if-match.js';
import { holdReasonContext } from './hold-reason.js';

export interface LegalHoldStores {
  readonly store: Pick<EventStore, 'append' | 'read'>;
  readonly keyRing: Pick<KeyRing, 'seal'>;
  readonly clock: Clock;
}

export interface LegalHoldChange {
  readonly tenantId: string;
  readonly held: boolean;
  readonly reason: string;
  readonly ifMatch?: string | undefined;
  readonly commandId: string;
  readonly origin: Omit<CommandOrigin, 'tenant_id'>;
}

/**
 * Sets or releases the legal hold of a tenant, for its owner and for the operator.
 * @throws FootnoteError `not_found`; `legal_hold_changed` if `If-Match` names other versions alone.
 */
export async function changeLegalHold(
  { store, keyRing, clock }: LegalHoldStores,
  { tenantId, held, reason, ifMatch, commandId, origin }: LegalHoldChange,
): Promise<CommandResult<TenantState, TenantEvent>> {
  const sealed = await keyRing.seal(tenantId, holdReasonContext(tenantId), reason);
  const type = held ? 'SetLegalHold' : 'ReleaseLegalHold';
  return handleCommand({
    store,
    clock,
    decider: tenantDecider,
    stream: `tenant-${tenantId}`,
    expected: 'any',
    decide: (state) => {
      if (!namesVersion(ifMatch, holdEtag(state))) {
        throw new FootnoteError(
          'legal_hold_changed',
          'The legal hold has changed; read it again and repeat the request',
        );
      }
      return tenantDecider.decide({ type, data: { reason: sealed } }, state);
    },
    context: commandContext(clock, { ...origin, tenant_id: tenantId }, commandId),
  });
}

/** Returns the version of the hold as an ETag; `"0"` before the first change. */
export function holdEtag(state: TenantState): string {
  return versionEtag('hold_revision' in state ? state.hold_revision : null);
}
