import type { DomainEvent } from '#contracts';
import { webhookDeliveriesDecider } from '#domain';
import type { RecordedDomainEvent } from '#event-store';

/** Event types that the book folds. */
export const ENDPOINT_TYPES = [
  'WebhookCreated',
  'WebhookUpdated',
  'WebhookEnabled',
  'WebhookDisabled',
  'WebhookSecretRotated',
  'WebhookTestRequested',
  'WebhookDeleted',
  'WebhookDelivered',
  'WebhookDeliveryFailed',
  'TenantErasureRequested',
  'TenantErased',
] as const satisfies readonly DomainEvent['type'][];

/** A secret of an endpoint; `until` is the end of its use, null for the current one. */
export interface EndpointSecret {
  readonly secret_id: string;
  /** Sealed. */
  readonly secret: string;
  /** ISO 8601. */
  readonly until: string | null;
}

/** A delivery that waits for its next attempt. */
export interface WaitingDelivery {
  readonly seq: number;
  /** Failed attempts so far. */
  readonly attempt: number;
  /** Time of the next one, ISO 8601; null after the last one. */
  readonly retry_at: string | null;
}

/** An endpoint as deliveries need it, as a JSON value. */
export interface Endpoint {
  readonly tenant_id: string;
  readonly webhook_id: string;
  /** Sealed. */
  readonly url: string;
  readonly types: readonly string[] | null;
  readonly secrets: readonly EndpointSecret[];
  readonly enabled: boolean;
  /** The event that created it: deliveries begin after it. */
  readonly created_by: string;
  /** Position of its last change: the types of later changes are not known yet. */
  readonly configured_at: string;
  /** Seq up to which it is served; null before its first delivery. */
  readonly cursor: number | null;
  readonly failing: WaitingDelivery | null;
  /** Revision of its stream of deliveries; null while the stream is empty. */
  readonly revision: number | null;
}

/** The webhook endpoints of all tenants, folded from the log. */
export class EndpointBook {
  private readonly endpoints = new Map<string, Endpoint>();
  private readonly byTenant = new Map<string, Set<string>>();
  /** Tenants with an unreadable event. */
  private readonly leftOut = new Set<string>();

  get all(): Iterable<Endpoint> {
    return this.endpoints.values();
  }

  find(webhookId: string): Endpoint | undefined {
    return this.endpoints.get(webhookId);
  }

  /** Returns the endpoints of a tenant. */
  of(tenantId: string): readonly Endpoint[] {
    return [...(this.byTenant.get(tenantId) ?? [])].flatMap((id) => this.endpoints.get(id) ?? []);
  }

  clear(): void {
    this.endpoints.clear();
    this.byTenant.clear();
    this.leftOut.clear();
  }

  /** Removes the endpoints of a tenant, and ignores its later events. */
  leaveOut(tenantId: string): void {
    this.leftOut.add(tenantId);
    this.removeAll(tenantId);
  }

  put(endpoint: Endpoint): void {
    const { tenant_id, webhook_id } = endpoint;
    this.endpoints.set(webhook_id, endpoint);
    const own = this.byTenant.get(tenant_id) ?? new Set();
    this.byTenant.set(tenant_id, own.add(webhook_id));
  }

  apply(event: RecordedDomainEvent): void {
    if (this.leftOut.has(event.metadata.tenant_id)) return;
    switch (event.type) {
      case 'WebhookCreated': {
        const { webhook_id, url, types, secret_id, secret } = event.data;
        if (this.endpoints.has(webhook_id)) return;
        return this.put({
          tenant_id: event.metadata.tenant_id,
          webhook_id,
          url,
          types,
          secrets: [{ secret_id, secret, until: null }],
          enabled: true,
          created_by: event.id,
          configured_at: event.position,
          cursor: null,
          failing: null,
          revision: null,
        });
      }
      case 'WebhookUpdated': {
        const { webhook_id, url, types } = event.data;
        return this.change(webhook_id, ({ failing }) => ({
          configured_at: event.position,
          ...(types === undefined ? {} : { types }),
          // A new address deserves all attempts.
          ...(url === undefined ? { failing } : { url, failing: null }),
        }));
      }
      case 'WebhookEnabled':
        return this.change(event.data.webhook_id, () => ({ enabled: true, failing: null }));
      case 'WebhookDisabled':
        return this.change(event.data.webhook_id, () => ({ enabled: false }));
      case 'WebhookSecretRotated': {
        const { webhook_id, secret_id, secret, previous_until } = event.data;
        return this.change(webhook_id, ({ secrets }) => ({
          secrets: rotated(secrets, { secret_id, secret, until: null }, previous_until),
        }));
      }
      case 'WebhookTestRequested':
        // The test of an endpoint does not wait for the next attempt.
        return this.change(event.data.webhook_id, ({ failing }) => ({
          failing: failing?.retry_at
            ? { ...failing, retry_at: event.metadata.occurred_at }
            : failing,
        }));
      case 'WebhookDelivered':
      case 'WebhookDeliveryFailed':
        return this.applyDelivery(event, Number(event.revision));
      case 'WebhookDeleted':
        return this.remove(event.data.webhook_id);
      case 'TenantErasureRequested':
      case 'TenantErased':
        return this.removeAll(event.metadata.tenant_id);
      default:
        return;
    }
  }

  /** Folds an event of the stream of deliveries, unless it was folded before. */
  applyDelivery(
    event: Extract<DomainEvent, { type: 'WebhookDelivered' | 'WebhookDeliveryFailed' }>,
    revision: number,
  ): void {
    this.change(event.data.webhook_id, (endpoint) => {
      if (endpoint.revision !== null && revision <= endpoint.revision) return {};
      const { cursor, failing } = webhookDeliveriesDecider.evolve(
        endpoint,
        event,
        BigInt(revision),
      );
      return { cursor, failing, revision };
    });
  }

  private change(webhookId: string, changes: (endpoint: Endpoint) => Partial<Endpoint>): void {
    const endpoint = this.endpoints.get(webhookId);
    if (endpoint) this.put({ ...endpoint, ...changes(endpoint) });
  }

  private removeAll(tenantId: string): void {
    for (const { webhook_id } of this.of(tenantId)) this.remove(webhook_id);
  }

  private remove(webhookId: string): void {
    const endpoint = this.endpoints.get(webhookId);
    if (!endpoint) return;
    this.endpoints.delete(webhookId);
    const own = this.byTenant.get(endpoint.tenant_id);
    own?.delete(webhookId);
    if (own?.size === 0) this.byTenant.delete(endpoint.tenant_id);
  }
}

/** Returns the secrets after a rotation: the new one, and the one before until its end. */
function rotated(
  secrets: readonly EndpointSecret[],
  current: EndpointSecret,
  previousUntil: string,
): readonly EndpointSecret[] {
  if (secrets.some(({ secret_id }) => secret_id === current.secret_id)) return secrets;
  const previous = secrets.find(({ until }) => until === null);
  return [current, ...(previous ? [{ ...previous, until: previousUntil }] : [])];
}
