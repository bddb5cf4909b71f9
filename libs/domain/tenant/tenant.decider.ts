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

/**
 * Changes the plan of a tenant. Plans are configuration, so the caller checks that the plan exists.
 */
export interface ChangePlan {
  readonly type: 'ChangePlan';
  readonly data: { readonly plan: string };
}

/** Requests the destruction of all data of the tenant. */
export interface RequestErasure {
  readonly type: 'RequestErasure';
  readonly data: {
    /** The tenant's name or id, typed by the requester, because erasure is final. */
    readonly confirm: string;
    readonly reason: ErasureReason;
  };
}

/** Forbids every erasure and drop of the tenant's data until the hold is released. */
export interface SetLegalHold {
  readonly type: 'SetLegalHold';
  /** Sealed with the key of the tenant. */
  readonly data: { readonly reason: string };
}

export interface ReleaseLegalHold {
  readonly type: 'ReleaseLegalHold';
  /** Sealed with the key of the tenant. */
  readonly data: { readonly reason: string };
}

/** Records that all data is destroyed. */
export interface CompleteErasure {
  readonly type: 'CompleteErasure';
  readonly data: Destroyed;
}

/** Numbers of what an erasure destroyed. */
export interface Destroyed {
  readonly sources: number;
  readonly jobs: number;
  readonly people: number;
  readonly generations: number;
  readonly blobs: number;
  readonly blob_bytes: number;
}

export type TenantCommand =
  CreateTenant | ChangePlan | SetLegalHold | ReleaseLegalHold | RequestErasure | CompleteErasure;

interface NamedTenant {
  readonly tenant_id: string;
  readonly name: string;
  /** Null: the default plan. */
  readonly plan: string | null;
  readonly held: boolean;
  /** Revision of the last change of the hold; null if there was none. */
  readonly hold_revision: number | null;
}

export type TenantState =
  | { readonly status: 'absent' }
  | (NamedTenant & { readonly status: 'active' })
  | (NamedTenant & { readonly status: 'erasing'; readonly reason: ErasureReason })
  | { readonly status: 'erased'; readonly tenant_id: string; readonly destroyed: Destroyed };

/** Stream `tenant-<id>`. An erased tenant never returns, and its id is never used again. */
export const tenantDecider: Decider<TenantCommand, TenantState, TenantEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const tenantStreams = defineStream({
  pattern: 'tenant-<tenant_id>',
  decider: tenantDecider,
  commands: {
    CreateTenant: true,
    ChangePlan: true,
    SetLegalHold: true,
    ReleaseLegalHold: true,
    RequestErasure: true,
    CompleteErasure: true,
  },
  events: {
    TenantCreated: true,
    TenantPlanChanged: true,
    LegalHoldSet: true,
    LegalHoldReleased: true,
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
          `Tenant id ${command.data.tenant_id} is reserved; choose another id`,
        );
      }
      return state.status === 'absent' ? [{ type: 'TenantCreated', data: command.data }] : [];
    case 'RequestErasure':
      return requestErasure(command.data, state);
    case 'CompleteErasure': {
      if (state.status !== 'erasing') return [];
      return [{ type: 'TenantErased', data: { tenant_id: state.tenant_id, ...command.data } }];
    }
    case 'SetLegalHold':
    case 'ReleaseLegalHold':
      return changeLegalHold(command, state);
    case 'ChangePlan': {
      if (state.status !== 'active') throw new FootnoteError('not_found', 'Tenant not found');
      const { tenant_id, plan } = { ...state, ...command.data };
      return plan === state.plan ? [] : [{ type: 'TenantPlanChanged', data: { tenant_id, plan } }];
    }
  }
}

/** Returns whether a tenant is under legal hold. */
export function isHeld(state: TenantState): boolean {
  return 'held' in state && state.held;
}

/** Returns the error of an act that would destroy data under a legal hold. */
export function underLegalHold(): FootnoteError {
  return new FootnoteError(
    'legal_hold',
    'The tenant is under legal hold; an owner or the operator must release it first',
  );
}

/** A hold may be set again, with another reason. */
function changeLegalHold(
  { type, data: { reason } }: SetLegalHold | ReleaseLegalHold,
  state: TenantState,
): readonly TenantEvent[] {
  if (state.status !== 'active') throw new FootnoteError('not_found', 'Tenant not found');
  const data = { tenant_id: state.tenant_id, reason };
  if (type === 'SetLegalHold') return [{ type: 'LegalHoldSet', data }];
  return state.held ? [{ type: 'LegalHoldReleased', data }] : [];
}

function requestErasure(
  { confirm, reason }: RequestErasure['data'],
  state: TenantState,
): readonly TenantEvent[] {
  if (state.status === 'absent') throw new FootnoteError('not_found', 'Tenant not found');
  if (state.status !== 'active') return [];
  const { tenant_id, name } = state;
  if (isReservedTenant(tenant_id)) {
    throw new FootnoteError(
      'validation_failed',
      `The reserved tenant ${tenant_id} cannot be erased`,
    );
  }
  if (confirm !== tenant_id && confirm !== name) {
    const asked = `confirm must be the name of the tenant, ${JSON.stringify(name)}, or its id, ${tenant_id}`;
    throw new FootnoteError('erasure_not_confirmed', `${asked}; erasure is final`);
  }
  if (state.held) throw underLegalHold();
  return [{ type: 'TenantErasureRequested', data: { tenant_id, reason } }];
}

function evolve(state: TenantState, event: TenantEvent, revision = 0n): TenantState {
  switch (event.type) {
    case 'TenantCreated':
      return state.status === 'absent'
        ? { status: 'active', ...event.data, plan: null, held: false, hold_revision: null }
        : state;
    case 'LegalHoldSet':
    case 'LegalHoldReleased':
      return state.status === 'active'
        ? { ...state, held: event.type === 'LegalHoldSet', hold_revision: Number(revision) }
        : state;
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
