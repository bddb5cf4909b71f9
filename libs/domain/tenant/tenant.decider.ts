import {
  type Decider,
  type ErasureReason,
  FootnoteError,
  isReservedTenant,
  type TenantEvent,
} from '#contracts';

import { defineStream } from '../define-stream.js';

export interface CreateTenant {
  readonly type: 'CreateTenant';
  readonly data: { readonly tenant_id: string; readonly name: string };
}

/** Plans are configuration: that there is one of the name is the caller's to know. */
export interface ChangePlan {
  readonly type: 'ChangePlan';
  readonly data: { readonly plan: string };
}

/** Has everything of the tenant destroyed. */
export interface RequestErasure {
  readonly type: 'RequestErasure';
  readonly data: {
    /** The tenant's name or id, typed by whoever asks: what is erased cannot come back. */
    readonly confirm: string;
    readonly reason: ErasureReason;
  };
}

/** Everything is destroyed. */
export interface CompleteErasure {
  readonly type: 'CompleteErasure';
  readonly data: Destroyed;
}

/** What an erasure destroyed, in numbers. */
export interface Destroyed {
  readonly sources: number;
  readonly jobs: number;
  readonly people: number;
  readonly generations: number;
  readonly blobs: number;
  readonly blob_bytes: number;
}

export type TenantCommand = CreateTenant | ChangePlan | RequestErasure | CompleteErasure;

interface NamedTenant {
  readonly tenant_id: string;
  readonly name: string;
  /** Null: the default one. */
  readonly plan: string | null;
}

export type TenantState =
  | { readonly status: 'absent' }
  | (NamedTenant & { readonly status: 'active' })
  | (NamedTenant & { readonly status: 'erasing'; readonly reason: ErasureReason })
  | { readonly status: 'erased'; readonly tenant_id: string; readonly destroyed: Destroyed };

/** Stream `tenant-<id>`. An erased tenant never comes back, and nobody has its id again. */
export const tenantDecider: Decider<TenantCommand, TenantState, TenantEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const tenantStreams = defineStream({
  pattern: 'tenant-<tenant_id>',
  decider: tenantDecider,
  commands: { CreateTenant: true, ChangePlan: true, RequestErasure: true, CompleteErasure: true },
  events: {
    TenantCreated: true,
    TenantPlanChanged: true,
    TenantErasureRequested: true,
    TenantErased: true,
  },
});

function decide(command: TenantCommand, state: TenantState): readonly TenantEvent[] {
  switch (command.type) {
    case 'CreateTenant':
      if (isReservedTenant(command.data.tenant_id)) {
        throw new FootnoteError(
          'validation_failed',
          `No tenant can have the reserved id ${command.data.tenant_id}`,
        );
      }
      return state.status === 'absent' ? [{ type: 'TenantCreated', data: command.data }] : [];
    case 'RequestErasure':
      return requestErasure(command.data, state);
    case 'CompleteErasure': {
      if (state.status !== 'erasing') return [];
      return [{ type: 'TenantErased', data: { tenant_id: state.tenant_id, ...command.data } }];
    }
    case 'ChangePlan': {
      if (state.status !== 'active')
        throw new FootnoteError('not_found', 'There is no such tenant');
      const { tenant_id, plan } = { ...state, ...command.data };
      return plan === state.plan ? [] : [{ type: 'TenantPlanChanged', data: { tenant_id, plan } }];
    }
  }
}

function requestErasure(
  { confirm, reason }: RequestErasure['data'],
  state: TenantState,
): readonly TenantEvent[] {
  if (state.status === 'absent') throw new FootnoteError('not_found', 'There is no such tenant');
  if (state.status !== 'active') return [];
  const { tenant_id, name } = state;
  if (isReservedTenant(tenant_id)) {
    throw new FootnoteError('validation_failed', `The reserved tenant ${tenant_id} is not erased`);
  }
  if (confirm !== tenant_id && confirm !== name) {
    const asked = `confirm it with the name of the tenant, ${JSON.stringify(name)}, or its id, ${tenant_id}`;
    throw new FootnoteError('erasure_not_confirmed', `An erased tenant cannot come back: ${asked}`);
  }
  return [{ type: 'TenantErasureRequested', data: { tenant_id, reason } }];
}

function evolve(state: TenantState, event: TenantEvent): TenantState {
  switch (event.type) {
    case 'TenantCreated':
      return state.status === 'absent' ? { status: 'active', ...event.data, plan: null } : state;
    case 'TenantPlanChanged':
      return state.status === 'active' ? { ...state, plan: event.data.plan } : state;
    case 'TenantErasureRequested':
      return state.status === 'active'
        ? { ...state, status: 'erasing', reason: event.data.reason }
        : state;
    case 'TenantErased': {
      const { tenant_id, ...destroyed } = event.data;
      return { status: 'erased', tenant_id, destroyed };
    }
    default:
      return state;
  }
}
