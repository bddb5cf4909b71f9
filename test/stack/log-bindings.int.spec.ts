import { randomUUID } from 'node:crypto';

import { jest } from '@jest/globals';
import { Client } from 'pg';

import { type BlobStore, silentLogger } from '#platform';
import { openS3BlobStore } from '#platform/blob-store/s3/s3-blob-store';
import { openPostgresKeyRing } from '#platform/key-ring/postgres/postgres-key-ring';
import { openKafkaEventFeed } from '#queue/kafka/kafka-event-feed';
import { openKafkaWorkQueue } from '#queue/kafka/kafka-work-queue';
import { asProjector, openReadModelDataSource, readModelBinding, SCHEMA } from '#read-model';

import { logBindingContract } from '../contracts/log-binding.contract.js';
import { describeWhen } from '../support/describe-when.js';
import { IndexedSource, uuidOf } from '../support/indexed-source.js';
import { OpenSearchIndices } from '../support/opensearch-server.js';

const TENANT = uuidOf('tenant one');

// Each test makes topics, indices or schemas of its own.
jest.setTimeout(120_000);

describeWhen('S3_ENDPOINT', 'S3', (endpoint) => {
  const access = {
    endpoint,
    bucket: process.env['S3_BUCKET'] ?? 'footnote',
    accessKeyId: process.env['S3_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: process.env['S3_SECRET_ACCESS_KEY'] ?? '',
  };
  logBindingContract('blobs on S3', async () => {
    const options = { ...access, prefix: `test-${randomUUID()}/` };
    const store = await openS3BlobStore(options);
    return {
      binding: store.logBinding,
      reopen: async () => (await openS3BlobStore(options)).logBinding,
      fill: () => store.put(Buffer.from('blob')),
      content: () => blobsOf(store),
      dispose: async () => {
        for await (const { hash } of store.list()) await store.delete(hash);
      },
    };
  });
});

describeWhen('DATABASE_URL', 'PostgreSQL', (url) => {
  const adminUrl = process.env['DATABASE_ADMIN_URL'] ?? url;
  const drop = async (schema: string) => {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    await client.query(`drop schema if exists ${schema} cascade`).finally(() => client.end());
  };

  logBindingContract('keys on PostgreSQL', async () => {
    await drop('keyring');
    const open = () =>
      openPostgresKeyRing({ url, adminUrl, masterKey: new Uint8Array(32).fill(7) });
    const rings = [await open()];
    const [ring] = rings as [(typeof rings)[number]];
    let sealed: Awaited<ReturnType<typeof ring.seal>> | undefined;
    return {
      binding: ring.logBinding,
      reopen: async () => {
        const again = await open();
        rings.push(again);
        return again.logBinding;
      },
      fill: async () => (sealed = await ring.seal(TENANT, 'place', 'secret')),
      content: async () => (sealed ? ring.open(TENANT, 'place', sealed) : null),
      dispose: async () => void (await Promise.all(rings.map((each) => each.close()))),
    };
  });

  logBindingContract('read models on PostgreSQL', async () => {
    await drop(SCHEMA);
    const open = () =>
      openReadModelDataSource({ kind: 'postgres', url, adminUrl, logger: silentLogger });
    const sources = [await open()];
    const [dataSource] = sources as [(typeof sources)[number]];
    return {
      binding: readModelBinding(dataSource),
      reopen: async () => {
        const again = await open();
        sources.push(again);
        return readModelBinding(again);
      },
      fill: () =>
        asProjector(dataSource, (manager) =>
          manager.query(
            `update ${SCHEMA}.checkpoints set position = 'place' where projection = 'sources'`,
          ),
        ),
      content: () =>
        asProjector(dataSource, (manager) =>
          manager.query(`select * from ${SCHEMA}.checkpoints order by projection`),
        ),
      dispose: async () => void (await Promise.all(sources.map((each) => each.destroy()))),
    };
  });
});

describeWhen('KAFKA_BROKERS', 'Kafka', (addresses) => {
  const options = () => ({
    brokers: addresses.split(','),
    clientId: 'footnote-test',
    partitions: 2,
    replication: 1,
    logger: silentLogger,
    topicPrefix: `test-${randomUUID()}.`,
  });

  logBindingContract('queue on Kafka', async () => {
    const chosen = options();
    let queue = await openKafkaWorkQueue(chosen);
    return {
      binding: queue.logBinding,
      reopen: async () => {
        await queue.close();
        queue = await openKafkaWorkQueue(chosen);
        return queue.logBinding;
      },
      fill: () => queue.saveCheckpoint('dispatcher', 'place'),
      content: () => queue.loadCheckpoint('dispatcher'),
      dispose: () => queue.close(),
    };
  });

  logBindingContract('feed on Kafka', async () => {
    const chosen = options();
    let feed = openKafkaEventFeed(chosen);
    return {
      binding: feed.logBinding,
      reopen: async () => {
        await feed.close();
        feed = openKafkaEventFeed(chosen);
        return feed.logBinding;
      },
      fill: () => feed.saveCheckpoint('place'),
      content: () => feed.loadCheckpoint(),
      dispose: () => feed.close(),
    };
  });
});

describeWhen('OPENSEARCH_URL', 'OpenSearch', (url) => {
  logBindingContract('index on OpenSearch', async () => {
    const indices = new OpenSearchIndices(url);
    const index = await indices.open();
    const source = new IndexedSource(TENANT, uuidOf('source'));
    return {
      binding: index.logBinding,
      reopen: async () => (await indices.open()).logBinding,
      fill: () =>
        index.applyGeneration(
          source.manifest(1, [source.pack([{ path: 'a.ts', text: 'plum' }])]),
          source.readBlob,
        ),
      content: () => index.generations(),
      dispose: () => indices.dispose(),
    };
  });
});

async function blobsOf(store: Pick<BlobStore, 'list'>): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { hash } of store.list()) hashes.push(hash);
  return hashes;
}
