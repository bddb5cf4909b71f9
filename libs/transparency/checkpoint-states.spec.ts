import { beforeEach, describe, expect, it } from '@jest/globals';

import type { EventStore } from '#event-store';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { proposed, TENANT_A } from '#test/support/sample-events';

import { CheckpointStates, checkpointStream } from './checkpoint-states.js';

const STREAM = checkpointStream(TENANT_A);

describe('states of the streams of checkpoints', () => {
  let log: MemoryEventStore;
  let reads: number;
  let states: CheckpointStates;

  const useKey = (type: 'AuditKeyCreated' | 'AuditKeyRotated', key_id: string) => {
    const data = { tenant_id: TENANT_A, origin: 'o', key_id, key: `o+${key_id}`, seed: 'sealed' };
    log.record(STREAM, proposed({ type, data }, { tenant_id: TENANT_A }));
  };
  const sign = (size: number) => {
    const signed = { tenant_id: TENANT_A, size, root: 'a'.repeat(64), key_id: '00000001' };
    const data = { ...signed, checkpoint: 'note' };
    log.record(STREAM, proposed({ type: 'CheckpointSigned', data }, { tenant_id: TENANT_A }));
  };
  const shown = async () => {
    const { state, revision, keys } = await states.of(TENANT_A);
    return { key: state.key?.key_id, size: state.last?.size, revision, keys: keys.map(idOf) };
  };

  beforeEach(() => {
    log = new MemoryEventStore();
    reads = 0;
    const read: EventStore['read'] = (stream, options) => {
      reads += 1;
      return log.read(stream, options);
    };
    states = new CheckpointStates({ read });
  });

  it('continues with what came since, in one read', async () => {
    expect((await shown()).revision).toBe('none');
    useKey('AuditKeyCreated', '00000001');
    sign(3);
    const first = { key: '00000001', size: 3, revision: 1n, keys: ['00000001'] };
    expect([await shown(), await shown()]).toEqual([first, first]);
    useKey('AuditKeyRotated', '00000002');
    expect(await shown()).toEqual({
      key: '00000002',
      size: 3,
      revision: 2n,
      keys: ['00000001', '00000002'],
    });
    expect(reads).toBe(4);
  });

  it.each([1, 2, 3])('folds another log from its start, of %s events', async (length) => {
    useKey('AuditKeyCreated', '00000001');
    sign(3);
    await shown();
    log = new MemoryEventStore();
    useKey('AuditKeyCreated', '00000009');
    for (let size = 1; size < length; size += 1) sign(size);
    const size = length === 1 ? undefined : length - 1;
    const revision = BigInt(length - 1);
    expect(await shown()).toEqual({ key: '00000009', size, revision, keys: ['00000009'] });
  });
});

function idOf({ id }: { readonly id: string }): string {
  return id;
}
