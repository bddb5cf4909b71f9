import { Inject, Injectable } from '@nestjs/common';

import type { EventMetadata } from '#contracts';
import type { LegalHoldView } from '#contracts/http/index';
import { isHeld, tenantDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { KEY_RING, type KeyRing, type Sealed } from '#platform';

import { holdEtag } from './change-legal-hold.js';
import { holdReasonContext } from './hold-reason.js';

/** A legal hold with its version. */
export interface VersionedLegalHold {
  readonly hold: LegalHoldView;
  readonly etag: string;
}

/** Reads legal holds from the log: a hold counts from its event on. */
@Injectable()
export class LegalHolds {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  /** Returns the state of the hold with its last change. */
  async of(tenantId: string): Promise<VersionedLegalHold> {
    let last: { readonly sealed: string; readonly metadata: EventMetadata } | undefined;
    const { state } = await foldStream(this.store, tenantDecider, `tenant-${tenantId}`, {
      onEvent: ({ type, data, metadata }) => {
        if (type === 'LegalHoldSet' || type === 'LegalHoldReleased')
          last = { sealed: data.reason, metadata };
      },
    });
    const reason = last && (await this.open(tenantId, last.sealed));
    return {
      hold: {
        active: isHeld(state),
        reason: reason ?? null,
        changed_at: last?.metadata.occurred_at ?? null,
        changed_by: last ? { type: last.metadata.actor.type, id: last.metadata.actor.id } : null,
      },
      etag: holdEtag(state),
    };
  }

  private open(tenantId: string, sealed: string): Promise<string | null> {
    return this.keyRing.open(tenantId, holdReasonContext(tenantId), sealed as Sealed);
  }
}
