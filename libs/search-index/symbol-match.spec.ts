import { describe, expect, it } from '@jest/globals';

import { symbolRanker } from './symbol-match.js';

describe('names of symbols', () => {
  it.each([
    ['KafkaConsumer', 'KafkaConsumer', 'exact'],
    ['kafkaconsumer', 'KafkaConsumer', 'case'],
    ['Kafka', 'KafkaConsumer', 'prefix'],
    ['kafka', 'KafkaConsumer', 'prefix_case'],
    ['KC', 'KafkaConsumer', 'humps'],
    ['KaCo', 'KafkaConsumer', 'humps'],
    ['KC', 'KafkaShareConsumer', 'humps'],
    ['KC', 'kafka_consumer', 'humps'],
    ['HS', 'HTTPServer', 'humps'],
    ['KC', 'MockKafkaConsumer', undefined],
    ['CK', 'KafkaConsumer', undefined],
    ['Consumer', 'KafkaConsumer', undefined],
    ['K', 'MockK', undefined],
    ['ÄÖ', 'ÄrgerÖl', 'humps'],
  ])('match %s to %s as %s', (text, name, rank) => {
    expect(symbolRanker({ text, kind: 'any' })(name)).toBe(rank);
  });

  it('match exactly in the same case alone', () => {
    const rank = symbolRanker({ text: 'run', kind: 'exact' });
    expect(['run', 'Run', 'runs'].map(rank)).toEqual(['exact', undefined, undefined]);
  });

  it('are decided at once, however long they are', () => {
    const rank = symbolRanker({ text: 'AB'.repeat(100), kind: 'any' });
    expect(rank('Ab'.repeat(1_000_000))).toBeUndefined();
    expect(rank('AxBx'.repeat(50))).toBeUndefined();
  });
});
