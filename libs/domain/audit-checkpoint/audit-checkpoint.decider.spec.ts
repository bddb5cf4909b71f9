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
const sign = (data: ReturnType<typeof head>, witnesses: readonly string[] = []) =>
  ({ type: 'SignCheckpoint', data, witnesses }) as const;
const answer = { tenant_id: 't', size: 5, witness: 'w' };
const cosigned: AuditCheckpointEvent = {
  type: 'CheckpointCosigned',
  data: { ...answer, cosignature: '— w AQ==' },
};
const refused: AuditCheckpointEvent = {
  type: 'CheckpointRefused',
  data: { ...answer, reason: 'other_history' },
};

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
      .when(sign(head(5, 'a')))
      .then(signed(5, 'a'));
    given(created, signed(5, 'a'))
      .when(sign(head(6, 'b')))
      .then(signed(6, 'b'));
    given(created, signed(5, 'a'))
      .when(sign(head(5, 'a')))
      .thenNothingHappened();
  });

  it('rejects a smaller tree, another root of the same size, and a key that does not sign', () => {
    given(created, signed(5, 'a'))
      .when(sign(head(4, 'a')))
      .thenRefused('audit_trail_altered');
    given(created, signed(5, 'a'))
      .when(sign(head(5, 'b')))
      .thenRefused('audit_trail_altered');
    given(created)
      .when(sign(head(5, 'a', '00000002')))
      .thenRefused('concurrent_change');
    given()
      .when(sign(head(5, 'a')))
      .thenRefused('concurrent_change');
  });

  it('records one answer of each witness to the newest checkpoint', () => {
    const cosign = { type: 'RecordCosignature', data: cosigned.data } as const;
    given(created, signed(5, 'a')).when(cosign).then(cosigned);
    given(created, signed(5, 'a'), cosigned).when(cosign).thenNothingHappened();
    given(created, signed(5, 'a'), signed(6, 'b')).when(cosign).thenNothingHappened();
    const refuse = { type: 'RecordRefusal', data: refused.data } as const;
    given(created, signed(5, 'a')).when(refuse).then(refused);
    given(created, signed(5, 'a'), refused).when(refuse).thenNothingHappened();
  });

  it('signs nothing after a refusal, until the witness cosigns or is not in use', () => {
    const history = [created, signed(5, 'a'), refused];
    given(...history)
      .when(sign(head(6, 'b'), ['w']))
      .thenRefused('audit_trail_altered');
    given(...history)
      .when(sign(head(6, 'b'), ['v']))
      .then(signed(6, 'b'));
    given(...history, cosigned)
      .when(sign(head(6, 'b'), ['w']))
      .then(signed(6, 'b'));
  });

  it('records one copy of the newest checkpoint', () => {
    const data = {
      tenant_id: 't',
      size: 5,
      place: 'bucket/5',
      retained_until: '2027-01-01T00:00:00.000Z',
    };
    const copied: AuditCheckpointEvent = { type: 'CheckpointCopied', data };
    given(created, signed(5, 'a')).when({ type: 'RecordCopy', data }).then(copied);
    given(created, signed(5, 'a'), copied).when({ type: 'RecordCopy', data }).thenNothingHappened();
    given(created, signed(6, 'a')).when({ type: 'RecordCopy', data }).thenNothingHappened();
  });
});
