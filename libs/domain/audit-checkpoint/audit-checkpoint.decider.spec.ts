import { describe, it } from '@jest/globals';

import type { AuditCheckpointEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { auditCheckpointDecider } from './audit-checkpoint.decider.js';

const { given } = specify(auditCheckpointDecider);
const keyData = (key_id: string) => ({
  tenant_id: 't',
  origin: 'footnote/l/t',
  key_id,
  key: `footnote/l/t+${key_id}+AQ==`,
  seed: 'sealed',
});
const created: AuditCheckpointEvent = { type: 'AuditKeyCreated', data: keyData('00000001') };
const head = (size: number, root: string, key_id = '00000001') => ({
  tenant_id: 't',
  size,
  root: root.repeat(64),
  key_id,
  checkpoint: 'note',
});
const signed = (size: number, root: string): AuditCheckpointEvent => ({
  type: 'CheckpointSigned',
  data: head(size, root),
});

describe('checkpoints of a tenant', () => {
  it('creates the first key, rotates to others and ignores the current one', () => {
    given()
      .when({ type: 'UseAuditKey', data: keyData('00000001') })
      .then(created);
    given(created)
      .when({ type: 'UseAuditKey', data: keyData('00000001') })
      .thenNothingHappened();
    given(created)
      .when({ type: 'UseAuditKey', data: keyData('00000002') })
      .then({ type: 'AuditKeyRotated', data: keyData('00000002') });
  });

  it('signs a larger tree, and one head per size', () => {
    given(created)
      .when({ type: 'SignCheckpoint', data: head(5, 'a') })
      .then(signed(5, 'a'));
    given(created, signed(5, 'a'))
      .when({ type: 'SignCheckpoint', data: head(6, 'b') })
      .then(signed(6, 'b'));
    given(created, signed(5, 'a'))
      .when({ type: 'SignCheckpoint', data: head(5, 'a') })
      .thenNothingHappened();
  });

  it('rejects a smaller tree, another root of the same size, and a key that does not sign', () => {
    given(created, signed(5, 'a'))
      .when({ type: 'SignCheckpoint', data: head(4, 'a') })
      .thenRefused('audit_trail_altered');
    given(created, signed(5, 'a'))
      .when({ type: 'SignCheckpoint', data: head(5, 'b') })
      .thenRefused('audit_trail_altered');
    given(created)
      .when({ type: 'SignCheckpoint', data: head(5, 'a', '00000002') })
      .thenRefused('concurrent_change');
    given()
      .when({ type: 'SignCheckpoint', data: head(5, 'a') })
      .thenRefused('concurrent_change');
  });
});
