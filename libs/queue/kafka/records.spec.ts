import { describe, expect, it } from '@jest/globals';
import type { KafkaMessage } from 'kafkajs';

import {
  inBatches,
  MAX_BODY_BYTES,
  readDeadLetter,
  readRecord,
  toDeadLetter,
  toRecord,
} from './records.js';

function record(parts: {
  key?: string | null;
  value?: string | null;
  headers?: Record<string, string>;
}): KafkaMessage {
  const bytes = (text: string | null | undefined) =>
    typeof text === 'string' ? Buffer.from(text) : null;
  const { headers = { id: 'm1' }, key = 'k', value = '{}' } = parts;
  return {
    key: bytes(key),
    value: bytes(value),
    headers,
    offset: '4',
    timestamp: '0',
    attributes: 0,
  };
}

describe('records', () => {
  it('are decoded to the original message', () => {
    const message = { id: 'm1', key: 'source-1', body: { n: 1, text: 'ä' } };
    const { key, value, headers } = toRecord(message);
    const stored = record({
      key: String(key),
      value: String(value),
      headers: headers as Record<string, string>,
    });
    expect(readRecord(stored)).toEqual({ kind: 'message', message });
  });

  it.each([
    ['no key', record({ key: null }), 'It has no key'],
    ['no body', record({ value: null }), 'It has no body'],
    ['no id', record({ headers: {} }), 'It has no id'],
    ['a body that is not JSON', record({ value: '{"half' }), 'Its body is not JSON'],
    ['a body too large', record({ value: `"${'x'.repeat(MAX_BODY_BYTES)}"` }), /over the limit/],
  ])('are rejected with %s', (_, poisonous, reason) => {
    expect(readRecord(poisonous)).toEqual({
      kind: 'poison',
      reason: reason instanceof RegExp ? expect.stringMatching(reason) : reason,
    });
  });

  it('are rejected before they are sent if they are too large', () => {
    expect(() => toRecord({ id: 'm', key: 'k', body: 'x'.repeat(MAX_BODY_BYTES) })).toThrow(
      RangeError,
    );
  });

  it('become dead letters with position and reason, without a body over the limit', () => {
    const place = { topic: 't', partition: 3 };
    const kept = toDeadLetter(record({ value: '{"half' }), place, 'Its body is not JSON');
    expect(kept.headers).toEqual({
      id: 'm1',
      reason: 'Its body is not JSON',
      topic: 't',
      partition: '3',
      offset: '4',
    });
    expect(String(kept.value)).toBe('{"half');
    expect(
      toDeadLetter(record({ value: 'x'.repeat(MAX_BODY_BYTES + 1) }), place, 'large').value,
    ).toBeNull();
    expect(toDeadLetter(record({ headers: {} }), place, 'It has no id').headers).toMatchObject({
      id: 't/3/4',
    });
  });

  it('show the readable parts of a dead letter', () => {
    const headers = { id: 'm1', reason: 'poison' };
    expect(readDeadLetter(record({ value: '{"n":1}', headers }))).toEqual({
      message: { id: 'm1', key: 'k', body: { n: 1 } },
      reason: 'poison',
    });
    expect(readDeadLetter(record({ value: '{"half', headers })).message.body).toBe('{"half');
    expect(readDeadLetter(record({ key: null, value: null, headers })).message).toEqual({
      id: 'm1',
      key: '',
      body: null,
    });
  });

  it('are divided into requests that brokers accept, in order and without a loss', () => {
    const records = Array.from({ length: 50 }, (_, index) => ({
      key: 'k',
      value: String(index).padEnd(20_000, '.'),
    }));
    const batches = [...inBatches(records)];
    expect(batches.flat()).toEqual(records);
    expect(batches.length).toBeGreaterThan(1);
    for (const batch of batches) {
      expect(batch.reduce((sum, { value }) => sum + value!.length, 0)).toBeLessThan(1_000_000);
    }
  });
});
