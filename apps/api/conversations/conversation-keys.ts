import { Inject, Injectable } from '@nestjs/common';

import { EVENT_STORE, type EventStore, readEvent } from '#event-store';
import {
  conversationKeys,
  DESTROYED_SEALER,
  KEY_RING,
  type KeyRing,
  newDataKey,
  personKeys,
  type Sealed,
  type Sealer,
  sealerOf,
} from '#platform';

/** A conversation and whose it is. */
export interface ConversationOf {
  readonly tenantId: string;
  readonly userId: string;
  readonly conversationId: string;
}

/** With whose key texts of a conversation are sealed. */
export interface ConversationSeal {
  readonly conversationId: string;
  readonly userId: string;
  /** Opens nothing where one of the keys was destroyed. */
  readonly sealer: Sealer;
}

/**
 * Seals each conversation with a data key of its own. The log holds that key in nested seals: with
 * the conversation's key in the ring, that with the person's, that with the tenant's. Deleting the
 * conversation, erasing the person and erasing the tenant each destroy one of them, and with it
 * every word.
 */
@Injectable()
export class ConversationKeys {
  constructor(
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Makes a new data key, open and as the log stores it. */
  async make(of: ConversationOf): Promise<{ readonly key: string; readonly sealer: Sealer }> {
    const dataKey = newDataKey();
    const context = contextOf(of);
    let key: string = dataKey;
    for (const name of ringNames(of)) key = await this.keyRing.seal(name, context, key);
    return { key, sealer: sealerOf(dataKey) };
  }

  async sealer(of: ConversationOf, sealedKey: string): Promise<Sealer> {
    const context = contextOf(of);
    let key: string | null = sealedKey;
    for (const name of ringNames(of).reverse()) {
      key = key === null ? null : await this.keyRing.open(name, context, key as Sealed);
    }
    return key === null ? DESTROYED_SEALER : sealerOf(key);
  }

  /**
   * The seal of a conversation of a tenant, also of a deleted one; undefined for one that the
   * tenant never had.
   */
  async of(tenantId: string, conversationId: string): Promise<ConversationSeal | undefined> {
    for await (const recorded of this.store.read(`conversation-${conversationId}`, { limit: 1 })) {
      const event = readEvent(recorded);
      if (event?.type !== 'ConversationStarted' || event.tenant_id !== tenantId) return undefined;
      const { user_id: userId, key } = event.data;
      return {
        conversationId,
        userId,
        sealer: await this.sealer({ tenantId, userId, conversationId }, key),
      };
    }
    return undefined;
  }

  /** Makes every text of the conversation unreadable for good; again is harmless. */
  async destroy(conversationId: string): Promise<void> {
    await this.keyRing.destroy(conversationKeys(conversationId));
  }
}

/** From the inside out. */
function ringNames({ tenantId, userId, conversationId }: ConversationOf): string[] {
  return [conversationKeys(conversationId), personKeys(userId), tenantId];
}

function contextOf({ conversationId }: ConversationOf): string {
  return `conversation-${conversationId}/key`;
}
