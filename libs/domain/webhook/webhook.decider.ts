import {
  type Decider,
  FootnoteError,
  type WebhookDisabledReason,
  type WebhookEvent,
} from '#contracts';

import { defineStream } from '../define-stream.js';

export interface CreateWebhook {
  readonly type: 'CreateWebhook';
  readonly data: {
    readonly webhook_id: string;
    readonly name: string;
    /** Sealed. */
    readonly url: string;
    readonly types: string[] | null;
    readonly secret_id: string;
    /** Sealed. */
    readonly secret: string;
    readonly created_at: string;
  };
  /** Endpoints that the tenant may have. */
  readonly limit: number;
}

/** Absent fields stay as they are. */
export interface UpdateWebhook {
  readonly type: 'UpdateWebhook';
  readonly data: {
    readonly webhook_id: string;
    readonly name?: string;
    readonly url?: string;
    readonly types?: string[] | null;
    readonly enabled?: boolean;
  };
}

/** Stops deliveries to an endpoint that no longer takes them. */
export interface DisableWebhook {
  readonly type: 'DisableWebhook';
  readonly data: { readonly webhook_id: string; readonly reason: WebhookDisabledReason };
}

export interface RotateWebhookSecret {
  readonly type: 'RotateWebhookSecret';
  readonly data: {
    readonly webhook_id: string;
    readonly secret_id: string;
    readonly secret: string;
    readonly previous_until: string;
  };
}

export interface RequestWebhookTest {
  readonly type: 'RequestWebhookTest';
  readonly data: { readonly webhook_id: string };
}

export interface RequestWebhookRedelivery {
  readonly type: 'RequestWebhookRedelivery';
  readonly data: { readonly webhook_id: string; readonly event_id: string };
}

export interface DeleteWebhook {
  readonly type: 'DeleteWebhook';
  readonly data: { readonly webhook_id: string };
}

export type WebhookCommand =
  | CreateWebhook
  | UpdateWebhook
  | DisableWebhook
  | RotateWebhookSecret
  | RequestWebhookTest
  | RequestWebhookRedelivery
  | DeleteWebhook;

export interface WebhookEndpoint {
  readonly webhook_id: string;
  readonly name: string;
  /** Sealed. */
  readonly url: string;
  /** Null for all types. */
  readonly types: readonly string[] | null;
  readonly created_at: string;
  /** Null while it is enabled. */
  readonly disabled: WebhookDisabledReason | null;
}

/** The endpoints of a tenant, oldest first. */
export type WebhookState = readonly WebhookEndpoint[];

/** Stream `webhooks-<tenant_id>`. */
export const webhookDecider: Decider<WebhookCommand, WebhookState, WebhookEvent> = {
  initial: [],
  decide,
  evolve,
};

export const webhookStreams = defineStream({
  pattern: 'webhooks-<tenant_id>',
  decider: webhookDecider,
  commands: {
    CreateWebhook: true,
    UpdateWebhook: true,
    DisableWebhook: true,
    RotateWebhookSecret: true,
    RequestWebhookTest: true,
    RequestWebhookRedelivery: true,
    DeleteWebhook: true,
  },
  events: {
    WebhookCreated: true,
    WebhookUpdated: true,
    WebhookEnabled: true,
    WebhookDisabled: true,
    WebhookSecretRotated: true,
    WebhookTestRequested: true,
    WebhookRedeliveryRequested: true,
    WebhookDeleted: true,
  },
});

/** @throws FootnoteError `webhook_not_found`, `webhook_limit_reached`. */
function decide(command: WebhookCommand, state: WebhookState): readonly WebhookEvent[] {
  const { data } = command;
  const endpoint = state.find(({ webhook_id }) => webhook_id === data.webhook_id);
  if (command.type === 'CreateWebhook') {
    if (endpoint) return [];
    if (state.length >= command.limit) {
      const message = `The tenant has ${state.length} webhook endpoints; delete one first`;
      throw new FootnoteError('webhook_limit_reached', message);
    }
    return [{ type: 'WebhookCreated', data: command.data }];
  }
  if (!endpoint) {
    throw new FootnoteError('webhook_not_found', `Webhook ${data.webhook_id} not found`);
  }
  switch (command.type) {
    case 'UpdateWebhook':
      return update(command.data, endpoint);
    case 'DisableWebhook':
      return endpoint.disabled ? [] : [{ type: 'WebhookDisabled', data: command.data }];
    case 'RotateWebhookSecret':
      return [{ type: 'WebhookSecretRotated', data: command.data }];
    case 'RequestWebhookTest':
      return [{ type: 'WebhookTestRequested', data: command.data }];
    case 'RequestWebhookRedelivery':
      return [{ type: 'WebhookRedeliveryRequested', data: command.data }];
    case 'DeleteWebhook':
      return [{ type: 'WebhookDeleted', data: command.data }];
  }
}

function update(
  { webhook_id, name, url, types, enabled }: UpdateWebhook['data'],
  endpoint: WebhookEndpoint,
): readonly WebhookEvent[] {
  const changes = {
    ...(name === undefined || name === endpoint.name ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(types === undefined || sameTypes(types, endpoint.types) ? {} : { types }),
  };
  const events: WebhookEvent[] = [];
  if (Object.keys(changes).length > 0)
    events.push({ type: 'WebhookUpdated', data: { webhook_id, ...changes } });
  if (enabled === true && endpoint.disabled)
    events.push({ type: 'WebhookEnabled', data: { webhook_id } });
  if (enabled === false && !endpoint.disabled)
    events.push({ type: 'WebhookDisabled', data: { webhook_id, reason: 'requested' } });
  return events;
}

function sameTypes(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function evolve(state: WebhookState, event: WebhookEvent): WebhookState {
  const { webhook_id } = event.data;
  const change = (changes: Partial<WebhookEndpoint>): WebhookState =>
    state.map((each) => (each.webhook_id === webhook_id ? { ...each, ...changes } : each));
  switch (event.type) {
    case 'WebhookCreated': {
      const { name, url, types, created_at } = event.data;
      return [...state, { webhook_id, name, url, types, created_at, disabled: null }];
    }
    case 'WebhookUpdated': {
      const { name, url, types } = event.data;
      return change({
        ...(name === undefined ? {} : { name }),
        ...(url === undefined ? {} : { url }),
        ...(types === undefined ? {} : { types }),
      });
    }
    case 'WebhookEnabled':
      return change({ disabled: null });
    case 'WebhookDisabled':
      return change({ disabled: event.data.reason });
    case 'WebhookDeleted':
      return state.filter((each) => each.webhook_id !== webhook_id);
    default:
      return state;
  }
}
