import { randomUUID } from 'node:crypto';

import { silentLogger } from '#platform';
import { openKafkaWorkQueue } from '#queue/kafka/kafka-work-queue';

import { workQueueContract } from '../contracts/work-queue.contract.js';
import { describeWhen } from '../support/describe-when.js';

describeWhen('KAFKA_BROKERS', 'Kafka', (addresses) => {
  const brokers = addresses.split(',');
  const open = async () => {
    const options = {
      brokers,
      clientId: 'footnote-test',
      partitions: 4,
      replication: 1,
      logger: silentLogger,
      topicPrefix: `test-${randomUUID()}.`,
      maxDeliveries: 3,
      redeliveryDelayMs: 10,
    };
    let queue = await openKafkaWorkQueue(options);
    return {
      queue,
      reopen: async () => {
        await queue.close();
        return (queue = await openKafkaWorkQueue(options));
      },
      dispose: () => queue.close(),
    };
  };
  workQueueContract('Kafka', open, { forgetsRepeatedPublishes: false, maxDeliveries: 3 });
});
