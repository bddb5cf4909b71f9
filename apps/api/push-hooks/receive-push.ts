import type { IncomingHttpHeaders } from 'node:http';

import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { FootnoteError, type HttpContext, type SourceDefinition } from '#contracts';
import type { PushAnswer } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import { EVENT_STORE, foldStream, type EventStore } from '#event-store';
import { CLOCK, isUuid, KEY_RING, newHookSecret, uuidv5, type Clock, type KeyRing, type Sealed } from '#platform';

import type { Caller } from '../auth/caller.js';
import { PUSH_ROUTE } from '../edge/raw-push-body.js';
import { Handles } from '../use-cases/handles.js';
import { SyncAcceptance } from '../sources/accept-sync.js';
import { isForTenant } from '../sources/visible-sources.js';
import { hookSecretContext } from './hook-secret-seal.js';
import { readPushEvent, type PushEvent } from './push-event.js';
import { hasSignature, verifyDelivery, type SignedDelivery } from './push-signature.js';

/** A delivery of a provider, of which nothing is believed before its signature. */
export class ReceivePush extends Command<PushAnswer> {
  constructor(
    readonly sourceId: string,
    readonly headers: IncomingHttpHeaders,
    readonly body: Uint8Array,
    readonly http: HttpContext,
  ) {
    super();
  }
}

/** A source that takes pushes. */
interface HookedSource {
  readonly tenantId: string;
  readonly definition: SourceDefinition;
  readonly secret: string;
}

/**
 * Starts a sync after a push to the source's branch, or has one follow the sync that runs. The id of the command follows from
 * the delivery, so that a repeated one starts nothing, however often and however late it comes.
 */
@Handles(ReceivePush)
export class ReceivePushHandler implements ICommandHandler<ReceivePush> {
  /** Checked against where there is no hook, so that the answer takes as long; known to nobody. */
  private readonly nobodys = newHookSecret();

  constructor(
    private readonly syncs: SyncAcceptance,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws FootnoteError `unauthorized` without a good signature: alike where no pushes are taken, so that nobody learns where some are. */
  async execute({ sourceId, headers, body, http }: ReceivePush): Promise<PushAnswer> {
    if (!hasSignature(headers)) throw new FootnoteError('unauthorized', 'The delivery has no signature');
    const source = await this.find(sourceId);
    const delivery = verifyDelivery(headers, body, source?.secret ?? this.nobodys, this.clock.now());
    if (!source || !delivery) {
      const message = 'The signature of the delivery is wrong or too old, or its source takes no pushes';
      throw new FootnoteError('unauthorized', message);
    }
    const event = readPushEvent(headers, body);
    if (event.kind === 'ping') return { status: 'pong', message: 'Pushes to this source are taken' };
    const reason = reasonToIgnore(event, source.definition);
    if (reason !== null) return { status: 'ignored', message: reason };
    return this.sync(sourceId, source.tenantId, delivery, http);
  }

  private async sync(
    sourceId: string,
    tenantId: string,
    { provider, deliveryId }: SignedDelivery,
    http: HttpContext,
  ): Promise<PushAnswer> {
    const commandId = uuidv5('push', tenantId, sourceId, provider, deliveryId);
    const jobId = uuidv5('job', commandId);
    const caller: Caller = {
      tenantId,
      actor: { type: 'system', id: 'push-hook', name: provider },
      scopes: [],
      expiresAt: null,
      requestId: http.request_id,
      http,
      route: `POST ${PUSH_ROUTE}`,
      pathParameters: { source_id: sourceId },
      idempotencyKey: undefined,
    };
    const identity = { commandId, idempotency: undefined, newId: (kind: string) => uuidv5(kind, commandId) };
    const wanted = { caller, identity, sourceId, jobId, whileOneRuns: 'queue' } as const;
    const { outcome, repeated, source } = await this.syncs.accept(wanted);
    if (repeated) return { status: 'repeated', message: 'This delivery was taken before' };
    if (outcome === 'queued') {
      return { status: 'queued', message: `A sync of ${source.name} runs; one more follows it` };
    }
    return { status: 'started', message: `Sync of ${source.name} started`, job_id: jobId };
  }

  private async find(sourceId: string): Promise<HookedSource | null> {
    if (!isUuid(sourceId)) return null;
    let tenantId = '';
    const { state } = await foldStream(this.store, sourceDecider, `source-${sourceId}`, {
      onEvent: ({ metadata }) => (tenantId ||= metadata.tenant_id),
    });
    if (state.status !== 'registered' || !isForTenant(state.audience) || state.hook === null) return null;
    const { hook_id, secret } = state.hook;
    const opened = await this.keyRing.open(tenantId, hookSecretContext(sourceId, hook_id), secret as Sealed);
    return opened === null ? null : { tenantId, definition: state.definition, secret: opened };
  }
}

/** Why no sync follows from an event, in words, or null. A source without a branch follows the repository's default one. */
function reasonToIgnore(event: Exclude<PushEvent, { kind: 'ping' }>, definition: SourceDefinition): string | null {
  if (event.kind === 'other') return `Nothing follows from an event of the kind ${event.what}`;
  const followed = definition.branch ?? event.defaultBranch;
  const refs = [`refs/heads/${followed}`, `refs/tags/${followed}`];
  if (followed !== undefined && !refs.includes(event.ref))
    return `The source follows ${followed}; another ref was pushed`;
  return event.deleted ? 'The ref was deleted' : null;
}
