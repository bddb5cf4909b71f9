import type { Decider, DomainEvent, JsonObject } from '#contracts';
import {
  apiKeyDecider,
  conversationDecider,
  invitationDecider,
  membersDecider,
  packageLinkDecider,
  policyDecider,
  sourceDecider,
  tenantDecider,
  userDecider,
} from '#domain';

/** Fields by name; an absent field is the same as null. */
export type Fields = Readonly<Record<string, unknown>>;

/** The audit trail's view of the state of one kind of stream. */
export interface StreamView {
  readonly initial: unknown;
  /** The state after an event at its current version. */
  evolve(state: unknown, event: DomainEvent, revision: bigint): unknown;
  /** The fields that a reader may see change by an event with this data. */
  fields(state: unknown, data: JsonObject): Fields;
}

/**
 * The replacement for a sealed or withheld value: the trail shows its change, but not the value.
 */
export const SEALED = '[sealed]';

/** A value that is compared, and shown as {@link SEALED}. */
export class SealedValue {
  constructor(readonly value: unknown) {}
}

const sealed = (value: unknown): SealedValue | null =>
  value === null || value === undefined ? null : new SealedValue(value);

/** The kinds of streams whose events change fields, by category. */
export const STREAM_VIEWS: ReadonlyMap<string, StreamView> = new Map([
  ['policy', view(policyDecider, ({ settings }) => flat('', settings))],
  [
    'source',
    view(sourceDecider, (state) => {
      if (state.status === 'absent') return {};
      const { status, name, definition, audience, sync_interval_seconds, credentials, hook } =
        state;
      return {
        ...flat('definition.', definition),
        status,
        name,
        audience,
        sync_interval_seconds,
        credentials: sealed(credentials),
        hook_id: hook?.hook_id ?? null,
        hook_secret: sealed(hook?.secret),
      };
    }),
  ],
  ['members', view(membersDecider, (state, { user_id }) => ({ role: roleOf(state, user_id) }))],
  ['tenant', view(tenantDecider, (state) => pick(state, ['status', 'name', 'plan']))],
  [
    'user',
    view(userDecider, (state) => ({
      ...pick(state, ['status', 'role', 'session_epoch']),
      ...seal(state, ['address', 'display_name', 'password']),
    })),
  ],
  [
    'apikey',
    view(apiKeyDecider, (state) => pick(state, ['status', 'name', 'scopes', 'expires_at'])),
  ],
  [
    'invitation',
    view(invitationDecider, (state) => ({
      ...pick(state, ['status', 'role', 'expires_at']),
      ...seal(state, ['address']),
    })),
  ],
  [
    'conversation',
    view(conversationDecider, (state) => ({
      ...pick(state, ['status', 'document_ids']),
      ...seal(state, ['title']),
    })),
  ],
  [
    'packagelink',
    view(packageLinkDecider, (state) => pick(state, ['status', 'ecosystem', 'name', 'version'])),
  ],
]);

/** Hides the types of a kind of stream: an event of the stream is one that its decider knows. */
function view<State, Event extends DomainEvent>(
  { initial, evolve }: Pick<Decider<never, State, Event>, 'initial' | 'evolve'>,
  fields: (state: State, data: JsonObject) => Fields,
): StreamView {
  return {
    initial,
    evolve: (state, event, revision) => evolve(state as State, event as Event, revision),
    fields: (state, data) => {
      const { status, ...rest } = fields(state as State, data) as { readonly status?: unknown };
      return status === undefined || status === 'absent' ? rest : { status, ...rest };
    },
  };
}

function roleOf(roles: ReadonlyMap<string, unknown>, userId: unknown): unknown {
  return typeof userId === 'string' ? (roles.get(userId) ?? null) : null;
}

function pick(state: object, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(state).filter(([name]) => names.includes(name)));
}

function seal(state: object, names: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(pick(state, names)).map(([name, value]) => [name, sealed(value)]),
  );
}

/** Returns an object as fields: `outer.inner` for one level of nested objects, lists as values. */
export function flat(prefix: string, value: object): Fields {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.entries(inner).map(([last, leaf]) => [`${prefix}${name}.${last}`, leaf as unknown])
        : [[`${prefix}${name}`, inner]],
    ),
  );
}
