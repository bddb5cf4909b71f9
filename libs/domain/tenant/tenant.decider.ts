import type { Decider, TenantEvent } from '#contracts';

import type { TenantCommand } from './tenant.commands.js';
import type { TenantState } from './tenant.state.js';

/** Stream `tenant-<id>`. */
export const tenantDecider: Decider<TenantCommand, TenantState, TenantEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

function decide(command: TenantCommand, state: TenantState): readonly TenantEvent[] {
  switch (command.type) {
    case 'CreateTenant':
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
