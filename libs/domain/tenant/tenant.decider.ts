import { FootnoteError, isReservedTenant, type Decider, type TenantEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface CreateTenant {
  readonly type: 'CreateTenant';
  readonly data: { readonly tenant_id: string; readonly name: string };
}

export type TenantCommand = CreateTenant;

export type TenantState =
  { readonly status: 'absent' } | { readonly status: 'active'; readonly tenant_id: string; readonly name: string };

/** Stream `tenant-<id>`. */
export const tenantDecider: Decider<TenantCommand, TenantState, TenantEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const tenantStreams = defineStream({
  pattern: 'tenant-<tenant_id>',
  decider: tenantDecider,
  commands: { CreateTenant: true },
  events: { TenantCreated: true },
});

function decide(command: TenantCommand, state: TenantState): readonly TenantEvent[] {
  switch (command.type) {
    case 'CreateTenant':
      if (isReservedTenant(command.data.tenant_id)) {
        throw new FootnoteError('validation_failed', `No tenant can have the reserved id ${command.data.tenant_id}`);
      }
      return state.status === 'absent' ? [{ type: 'TenantCreated', data: command.data }] : [];
  }
}

function evolve(state: TenantState, event: TenantEvent): TenantState {
  switch (event.type) {
    case 'TenantCreated':
      return state.status === 'absent' ? { status: 'active', ...event.data } : state;
    default:
      return state;
  }
}
