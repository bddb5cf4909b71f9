import { Inject, Injectable } from '@nestjs/common';

import type { WebhookEvent } from '#contracts';
import type { WebhookView } from '#contracts/http/index';
import { type WebhookCommand, webhookDecider, type WebhookEndpoint } from '#domain';
import { type CommandResult, EVENT_STORE, type EventStore, foldStream } from '#event-store';
import {
  KEY_RING,
  type KeyRing,
  newHookSecret,
  type Sealed,
  webhookSecretContext,
  webhookUrlContext,
} from '#platform';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { CommandIdentities } from '../write/command-identities.js';
import type { CommandIdentity } from '../write/command-identity.js';
import { StreamCommands } from '../write/stream-commands.js';

/** The webhook endpoints of tenants, read from their streams: a tenant has few. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  /** Returns the endpoints of a tenant, oldest first. */
  async all(tenantId: string): Promise<readonly WebhookEndpoint[]> {
    return (await foldStream(this.store, webhookDecider, `webhooks-${tenantId}`)).state;
  }

  /** @throws FootnoteError `webhook_not_found`. */
  async find(tenantId: string, webhookId: string): Promise<WebhookEndpoint> {
    const id = requireId('webhook_not_found', webhookId);
    const found = (await this.all(tenantId)).find(({ webhook_id }) => webhook_id === id);
    if (!found) throw notFound('webhook_not_found', webhookId);
    return found;
  }

  /**
   * Runs a command on the endpoints of the caller's tenant.
   * @throws FootnoteError `webhook_not_found`, `webhook_limit_reached`, `concurrent_change`.
   */
  async run(
    caller: Caller,
    command: WebhookCommand,
    identity?: CommandIdentity,
  ): Promise<CommandResult<readonly WebhookEndpoint[], WebhookEvent>> {
    return this.commands.run({
      caller,
      identity: identity ?? (await this.identities.of(caller, undefined)),
      stream: `webhooks-${caller.tenantId}`,
      decider: webhookDecider,
      expected: command.type === 'CreateWebhook' ? 'any' : 'existing',
      absent: () => notFound('webhook_not_found', command.data.webhook_id),
      decide: (state) => webhookDecider.decide(command, state),
    });
  }

  async view(tenantId: string, endpoint: WebhookEndpoint): Promise<WebhookView> {
    const { webhook_id, name, types, created_at, disabled } = endpoint;
    return {
      id: webhook_id,
      name,
      url: await this.urlOf(tenantId, endpoint),
      types,
      status: disabled ? 'disabled' : 'enabled',
      disabled_reason: disabled,
      created_at,
    };
  }

  /** Returns the URL of an endpoint; null once the tenant's key is destroyed. */
  urlOf(tenantId: string, { webhook_id, url }: WebhookEndpoint): Promise<string | null> {
    return this.keyRing.open(tenantId, webhookUrlContext(webhook_id), url as Sealed);
  }

  sealUrl(tenantId: string, webhookId: string, url: string): Promise<string> {
    return this.keyRing.seal(tenantId, webhookUrlContext(webhookId), url);
  }

  /** Returns a new secret of an endpoint, in the clear and sealed. */
  async newSecret(
    tenantId: string,
    webhookId: string,
    secretId: string,
  ): Promise<{ readonly secret: string; readonly sealed: string }> {
    const secret = newHookSecret();
    const context = webhookSecretContext(webhookId, secretId);
    return { secret, sealed: await this.keyRing.seal(tenantId, context, secret) };
  }
}
