import { Inject, Injectable } from '@nestjs/common';

import { type NoteKey, parseVerifierKey } from '#audit';
import type { AuditKeyView, CheckpointView } from '#contracts/http/index';
import { auditCheckpointDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';

/** Signed checkpoints and public keys of one tenant, each the oldest first. */
export interface Checkpoints {
  readonly checkpoints: readonly CheckpointView[];
  readonly keys: readonly AuditKeyView[];
  /** The keys in the form that verifies notes. */
  readonly verifiers: readonly NoteKey[];
}

/** Reads checkpoints from the log, so that a lost or altered read model does not change them. */
@Injectable()
export class CheckpointStream {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  async of(tenantId: string): Promise<Checkpoints> {
    const checkpoints: CheckpointView[] = [];
    const keys: AuditKeyView[] = [];
    const { state } = await foldStream(
      this.store,
      auditCheckpointDecider,
      `checkpoint-${tenantId}`,
      {
        onEvent: (event) => {
          const at = event.metadata.occurred_at;
          if (event.type === 'CheckpointSigned') {
            const { size, root, key_id, checkpoint } = event.data;
            checkpoints.push({ size, root, signed_at: at, key_id, checkpoint });
          } else if (event.type === 'AuditKeyCreated' || event.type === 'AuditKeyRotated') {
            const { key_id: id, key } = event.data;
            keys.push({ id, key, created_at: at, current: false });
          }
        },
      },
    );
    return {
      checkpoints,
      keys: keys.map((key) => ({ ...key, current: key.id === state.key?.key_id })),
      verifiers: keys.map(({ key }) => parseVerifierKey(key)).filter((key) => key !== null),
    };
  }
}
