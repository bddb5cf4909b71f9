import type { IncomingHttpHeaders } from 'node:http';

import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { HttpContext, SourceDefinition } from '#contracts';
import type { PushAnswer } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { CLOCK, type Clock, uuidv5 } from '#platform';
import { isForTenant } from '#search';

import type { Caller } from '../auth/caller.js';
import { PUSH_ROUTE } from '../auth/push-route.js';
import { SyncAcceptance } from '../sources/accept-sync.js';
import { Handles } from '../use-cases/handles.js';
import { type KnownPushHook, KnownPushHooks } from './known-push-hooks.js';
import { type PushEvent, readPushEvent } from './push-event.js';
import { wrongSignature } from './push-gate.js';
import { type SignedDelivery, verifyDelivery } from './push-signature.js';

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

/**
 * Starts a sync after a push to the source's branch, or has one follow the sync that runs. The id
 * of the command follows from the delivery, so that a repeated one starts nothing, however often
 * and however late it comes.
 */
@Handles(ReceivePush)
export class ReceivePushHandler implements ICommandHandler<ReceivePush> {
  constructor(
    private readonly hooks: KnownPushHooks,
    private readonly syncs: SyncAcceptance,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The log is read after the signature is valid, and not before: what unsigned deliveries cost
   * depends on no source.
   * @throws FootnoteError `unauthorized` without a valid signature: alike where no pushes are
   * taken, so that nobody learns where some are.
   */
  async execute({ sourceId, headers, body, http }: ReceivePush): Promise<PushAnswer> {
    const hook = this.hooks.find(sourceId);
    const secret = await this.hooks.secretOf(sourceId);
    const delivery =
      secret === null ? null : verifyDelivery(headers, body, secret, this.clock.now());
    if (!hook || !delivery) throw wrongSignature(hook);
    const definition = await this.definitionOf(hook);
    const event = readPushEvent(headers, body);
    if (event.kind === 'ping')
      return { status: 'pong', message: 'Pushes to this source are taken' };
    const reason = reasonToIgnore(event, definition);
    if (reason !== null) return { status: 'ignored', message: reason };
    return this.sync(sourceId, hook.tenantId, delivery, http);
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
    const identity = {
      commandId,
      idempotency: undefined,
      newId: (kind: string) => uuidv5(kind, commandId),
    };
    const wanted = { caller, identity, sourceId, jobId, whileOneRuns: 'queue' } as const;
    const { outcome, repeated, source } = await this.syncs.accept(wanted);
    if (repeated) return { status: 'repeated', message: 'This delivery was taken before' };
    if (outcome === 'queued') {
      return { status: 'queued', message: `A sync of ${source.name} runs; one more follows it` };
    }
    return { status: 'started', message: `Sync of ${source.name} started`, job_id: jobId };
  }

  /**
   * Returns the definition in the source's newest state.
   * @throws FootnoteError `unauthorized` where another process removed or replaced the hook a
   * moment ago.
   */
  private async definitionOf(hook: KnownPushHook): Promise<SourceDefinition> {
    const { sourceId, hookId } = hook;
    const { state } = await foldStream(this.store, sourceDecider, `source-${sourceId}`);
    if (state.status !== 'registered' || !isForTenant(state.audience)) throw wrongSignature(hook);
    if (state.hook?.hook_id !== hookId) throw wrongSignature(hook);
    return state.definition;
  }
}

/**
 * Why no sync follows from an event, in words, or null. A source without a branch follows the
 * repository's default one.
 */
function reasonToIgnore(
  event: Exclude<PushEvent, { kind: 'ping' }>,
  definition: SourceDefinition,
): string | null {
  if (event.kind === 'other') return `Nothing follows from an event of the kind ${event.what}`;
  const followed = definition.branch ?? event.defaultBranch;
  const refs = [`refs/heads/${followed}`, `refs/tags/${followed}`];
  if (followed !== undefined && !refs.includes(event.ref))
    return `The source follows ${followed}; another ref was pushed`;
  return event.deleted ? 'The ref was deleted' : null;
}
