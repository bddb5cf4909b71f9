import { describe, expect, it } from '@jest/globals';

import { noteSigner, signCheckpoint } from '#audit';
import { auditCheckpointDecider } from '#domain';

import { LockedKeeper } from './locked-keeper.js';

const signer = noteSigner('footnote/log/t', 'ed25519', Buffer.alloc(32, 1));
const head = { origin: 'footnote/log/t', size: 12, root: Buffer.alloc(32, 2) };
const last = {
  tenant_id: 't',
  size: 12,
  root: '02'.repeat(32),
  key_id: signer.key.id,
  checkpoint: signCheckpoint(head, [signer]),
};
const state = { ...auditCheckpointDecider.initial, last };

describe('locked copies of checkpoints', () => {
  const files: { key: string; text: string; until: Date }[] = [];
  const keeper = new LockedKeeper({
    copies: {
      place: 'bucket',
      put: (key, bytes, until) => {
        files.push({ key, text: Buffer.from(bytes).toString(), until });
        return Promise.resolve();
      },
    },
    clock: { now: () => new Date('2026-01-01T00:00:00Z') },
    days: 30,
  });

  it('copies a checkpoint below its origin and records where, and until when', async () => {
    const command = await keeper.keep(last);
    const key = 'footnote/log/t/0000000000000012';
    const until = '2026-01-31T00:00:00.000Z';
    expect(files).toEqual([{ key, text: last.checkpoint, until: new Date(until) }]);
    expect(command).toEqual({
      type: 'RecordCopy',
      data: { tenant_id: 't', size: 12, place: `bucket/${key}`, retained_until: until },
    });
    const [event] = auditCheckpointDecider.decide(command, state);
    const after = event && auditCheckpointDecider.evolve(state, event, 1n);
    expect([keeper.isDone(state), after && keeper.isDone(after)]).toEqual([false, true]);
  });
});
