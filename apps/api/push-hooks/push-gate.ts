import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { FootnoteError } from '#contracts';
import { CLOCK, type Clock } from '#platform';

import { serviceNotReady } from '../auth/not-ready.js';
import { PUSH_ROUTE } from '../auth/push-route.js';
import { refusedFor } from '../refusals/refused-subject.js';
import { type KnownPushHook, KnownPushHooks } from './known-push-hooks.js';
import { hasSignature, refutesSignature } from './push-signature.js';

/**
 * Rejects by its head a delivery that no body can make valid, so that strangers fill no memory with
 * the bodies of such. Every rejection is alike, whether the source is unknown, takes no pushes, or
 * has another secret.
 */
@Injectable()
export class PushGate {
  constructor(
    private readonly hooks: KnownPushHooks,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws FootnoteError `unauthorized`; `engine_unavailable` while the hooks are not known. */
  async admit({ headers, params }: FastifyRequest): Promise<void> {
    const { source_id: sourceId } = params as { readonly source_id: string };
    const hook = this.hooks.find(sourceId);
    if (!hasSignature(headers))
      throw refusedPush(new FootnoteError('unauthorized', 'The delivery has no signature'), hook);
    if (!this.hooks.ready) throw serviceNotReady(this.hooks.projection.hasCaughtUp);
    const secret = await this.hooks.secretOf(sourceId);
    if (secret === null || refutesSignature(headers, secret, this.clock.now()))
      throw wrongSignature(hook);
  }
}

/** One message for every reason, so that an answer does not show which sources take pushes. */
export function wrongSignature(hook: KnownPushHook | null): FootnoteError {
  const error = new FootnoteError(
    'unauthorized',
    'The signature of the delivery is wrong or too old, or its source takes no pushes',
  );
  return refusedPush(error, hook);
}

/** Attributes a refusal to the source if it takes pushes; the answer does not show it. */
function refusedPush(error: FootnoteError, hook: KnownPushHook | null): FootnoteError {
  return refusedFor(error, hook ? { tenantId: hook.tenantId, sourceId: hook.sourceId } : {});
}

/** Has the gate decide on each push when its head is there, before its body is read. */
export function usePushGate(server: FastifyInstance, gate: PushGate): void {
  server.addHook('onRequest', async (request) => {
    if (request.method === 'POST' && request.routeOptions.url === PUSH_ROUTE)
      await gate.admit(request);
  });
}
