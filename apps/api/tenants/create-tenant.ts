import { isReservedTenant } from '#contracts';
import { apiKeyDecider, type IssueApiKey, tenantDecider } from '#domain';
import {
  commandContext,
  type CommandOrigin,
  type EventStore,
  foldStream,
  handleCommand,
} from '#event-store';
import {
  type Clock,
  describeApiKey,
  FIRST_TENANT_ID,
  newApiKeySecret,
  uuidv5,
  uuidv7,
} from '#platform';

/** The origin of everything that the first start creates. */
export const BOOTSTRAP: OperatorOrigin = { actor: { type: 'operator', id: 'bootstrap' } };

/** The operator's command behind an act. */
export type OperatorOrigin = Pick<CommandOrigin, 'actor' | 'correlation_id'>;

/** A tenant with a key that may do everything in it. */
export interface TenantWithKey {
  readonly tenantId: string;
  readonly key: string;
}

/**
 * Makes the first tenant and its key on an empty store. The ids are fixed, so that two processes
 * make one of each.
 *
 * @param chosenKey BOOTSTRAP_API_KEY; without it a key is made
 * @returns the key where this call issued it, else null: the keys of an existing store stay as they
 * are
 */
export async function bootstrapFirstTenant(
  store: EventStore,
  clock: Clock,
  chosenKey?: string,
): Promise<string | null> {
  const keyId = uuidv5('first-api-key', FIRST_TENANT_ID);
  const existing = await foldStream(store, apiKeyDecider, `apikey-${keyId}`);
  if (existing.state.status !== 'absent') return null;
  const secret = chosenKey === undefined ? newApiKeySecret() : describeApiKey(chosenKey);
  await createTenant(
    store,
    clock,
    FIRST_TENANT_ID,
    'First tenant',
    uuidv5('bootstrap', FIRST_TENANT_ID),
    BOOTSTRAP,
  );
  const issued = await issueFullKey(store, clock, FIRST_TENANT_ID, keyId, secret, BOOTSTRAP);
  return issued ? secret.secret : null;
}

/** Makes a tenant and its first key, with all scopes. */
export async function createTenantWithKey(
  store: EventStore,
  clock: Clock,
  name: string,
  tenantId: string,
  by: OperatorOrigin,
): Promise<TenantWithKey> {
  const secret = newApiKeySecret();
  await createTenant(store, clock, tenantId, name, uuidv5('create-tenant', tenantId), by);
  await issueFullKey(store, clock, tenantId, uuidv5('first-api-key', tenantId), secret, by);
  return { tenantId, key: secret.secret };
}

/** Issues a further key with all scopes. @throws Error when there is no such tenant. */
export async function issueFurtherKey(
  store: EventStore,
  clock: Clock,
  tenantId: string,
  by: OperatorOrigin,
): Promise<TenantWithKey> {
  const { state } = await foldStream(store, tenantDecider, `tenant-${tenantId}`);
  if (state.status === 'absent') throw new Error(`There is no tenant ${tenantId}`);
  if (state.status !== 'active') throw new Error(`Tenant ${tenantId} was erased`);
  const secret = newApiKeySecret();
  await issueFullKey(store, clock, tenantId, uuidv7(), secret, by);
  return { tenantId, key: secret.secret };
}

async function createTenant(
  store: EventStore,
  clock: Clock,
  tenantId: string,
  name: string,
  commandId: string,
  by: OperatorOrigin,
): Promise<void> {
  const command = { type: 'CreateTenant', data: { tenant_id: tenantId, name } } as const;
  await handleCommand({
    store,
    decider: tenantDecider,
    stream: `tenant-${tenantId}`,
    expected: 'any',
    decide: (state) => (state.status === 'absent' ? tenantDecider.decide(command, state) : []),
    context: commandContext(clock, { ...by, tenant_id: tenantId }, commandId),
  });
}

async function issueFullKey(
  store: EventStore,
  clock: Clock,
  tenantId: string,
  keyId: string,
  secret: { readonly prefix: string; readonly digest: string },
  by: OperatorOrigin,
): Promise<boolean> {
  if (isReservedTenant(tenantId))
    throw new Error(`No key is issued for the reserved tenant ${tenantId}`);
  const command: IssueApiKey = {
    type: 'IssueApiKey',
    data: {
      key_id: keyId,
      name: 'First key',
      prefix: secret.prefix,
      digest: secret.digest,
      scopes: ['read', 'write', 'audit'],
      expires_at: null,
    },
  };
  const commandId = uuidv5('issue-key', keyId, secret.digest);
  const result = await handleCommand({
    store,
    decider: apiKeyDecider,
    stream: `apikey-${keyId}`,
    expected: 'any',
    decide: (state) => (state.status === 'absent' ? apiKeyDecider.decide(command, state) : []),
    context: commandContext(clock, { ...by, tenant_id: tenantId }, commandId),
  });
  return result.appended;
}
