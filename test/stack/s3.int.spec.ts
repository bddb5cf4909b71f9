import { randomBytes, randomUUID } from 'node:crypto';

import {
  CreateBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type BlobStore, type S3BlobStoreOptions, sleep } from '#platform';
import { openS3BlobStore } from '#platform/blob-store/s3/s3-blob-store';

import { blobStoreContract } from '../contracts/blob-store.contract.js';
import { describeWhen } from '../support/describe-when.js';
import { EngineInstance } from '../support/engine-script.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { tempDir } from '../support/temp-dir.js';

const bucket = process.env['S3_BUCKET'] ?? 'footnote';
const accessKeyId = process.env['S3_ACCESS_KEY_ID'] ?? '';
const secretAccessKey = process.env['S3_SECRET_ACCESS_KEY'] ?? '';

describeWhen('S3_ENDPOINT', 'S3', (endpoint) =>
  s3BlobStore({ endpoint, bucket, accessKeyId, secretAccessKey }),
);

function s3BlobStore(access: S3BlobStoreOptions): void {
  const client = new S3Client({
    endpoint: access.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: access,
  });
  const fresh = () => ({ ...access, prefix: `test-${randomUUID()}/` });

  blobStoreContract('S3', async () => {
    const store = await openS3BlobStore(fresh());
    return { store, dispose: () => empty(store) };
  });

  describe('blob store: S3', () => {
    let options: ReturnType<typeof fresh>;
    let store: BlobStore;
    beforeEach(async () => {
      options = fresh();
      store = await openS3BlobStore(options);
    });
    afterEach(() => empty(store), 120_000);

    const objects = async () =>
      (await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: options.prefix })))
        .Contents ?? [];

    it('keeps a blob of several parts byte for byte', async () => {
      const bytes = randomBytes(21 * 1024 * 1024 + 17);
      const started = performance.now();
      const hash = await store.put(bytes);
      const stored = performance.now();
      expect(Buffer.compare(Buffer.from(await store.get(hash)), bytes)).toBe(0);
      const rate = (from: number, to: number) => Math.round(bytes.length / 1_000 / (to - from));
      process.stdout.write(
        `S3, 21 MB: put ${rate(started, stored)} MB/s, get ${rate(stored, performance.now())} MB/s\n`,
      );
    });

    it('keeps one object a blob, however often it is written', async () => {
      for (let write = 0; write < 4; write += 1) await store.put(Buffer.from('again and again'));
      expect(await objects()).toHaveLength(1);
    });

    it('lists more blobs than one answer of the store holds', async () => {
      const hashes: string[] = [];
      for (let batch = 0; batch < 21; batch += 1) {
        const texts = Array.from({ length: 50 }, (_, index) => Buffer.from(`${batch}/${index}`));
        hashes.push(...(await Promise.all(texts.map((text) => store.put(text)))));
      }
      const listed: string[] = [];
      for await (const { hash } of store.list()) listed.push(hash);
      expect(listed).toEqual(hashes.sort());
    }, 120_000);

    it('notices bytes that changed in the store, and reads another write of the blob if there is one', async () => {
      const hash = await store.put(Buffer.from('original'));
      const [object] = await objects();
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: object?.Key ?? '', Body: 'tampered' }),
      );
      await expect(store.get(hash)).rejects.toMatchObject({ code: 'blob_corrupt' });
      const earlier = (object?.Key ?? '').replace(/\.\d{14}/, '.00000000000001');
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: earlier, Body: 'original' }));
      expect(Buffer.from(await store.get(hash)).toString()).toBe('original');
      await store.put(Buffer.from('original'));
      expect(await objects()).toHaveLength(1);
    });

    it('keeps what one process puts while another collects the same blob', async () => {
      const ages = { now: () => new Date(Date.now() - 3_600_000), monotonic: () => 0 };
      const past = await openS3BlobStore({ ...options, clock: ages });
      const collector = await openS3BlobStore(options);
      for (let round = 0; round < 60; round += 1) {
        const bytes = Buffer.from(`contested ${round}`);
        const hash = await past.put(bytes);
        const before = Date.now() - 60_000;
        await Promise.all([
          collector.deleteIfOlder(hash, before),
          store.put(bytes),
          past.put(bytes),
        ]);
        expect(await collector.deleteIfOlder(hash, before)).toBe(false);
        expect(Buffer.from(await collector.get(hash)).toString()).toBe(`contested ${round}`);
      }
    });

    it('reads a blob that others keep writing', async () => {
      const other = await openS3BlobStore(options);
      const hash = await store.put(Buffer.from('busy'));
      const writing = (async () => {
        for (let write = 0; write < 40; write += 1) await store.put(Buffer.from('busy'));
      })();
      for (let read = 0; read < 80; read += 1)
        expect(Buffer.from(await other.get(hash)).toString()).toBe('busy');
      await writing;
    });

    it('leaves objects alone that are not its own', async () => {
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: `${options.prefix}notes.txt`, Body: 'mine' }),
      );
      for await (const blob of store.list()) throw new Error(`${blob.hash} is no blob`);
      expect(await objects()).toHaveLength(1);
    });

    it('makes its bucket when it is missing', async () => {
      const made = await openS3BlobStore({ ...options, bucket: `made-${randomUUID()}` });
      const hash = await made.put(Buffer.from('first'));
      expect(await made.has(hash)).toBe(true);
      await empty(made);
    });

    it('refuses to open with wrong credentials, and says so', async () => {
      await expect(openS3BlobStore({ ...options, secretAccessKey: 'wrong' })).rejects.toThrow(
        /rejects these credentials for the bucket/,
      );
      await expect(client.send(new CreateBucketCommand({ Bucket: bucket }))).rejects.toThrow();
    });

    it('keeps every acknowledged blob when the store is killed, and continues when the store is back', async () => {
      const folder = tempDir('footnote-s3-');
      const server = await EngineInstance.at('s3', folder.path);
      try {
        const { S3_ENDPOINT = '', S3_SECRET_ACCESS_KEY = '' } = await server.start();
        const own = { ...options, endpoint: S3_ENDPOINT, secretAccessKey: S3_SECRET_ACCESS_KEY };
        const killed = await openS3BlobStore(own);
        const hashes: string[] = [];
        let refused = 0;
        let stopped = false;
        const writers = Array.from({ length: 4 }, async () => {
          while (!stopped) {
            await killed.put(randomBytes(200_000)).then(
              (hash) => hashes.push(hash),
              (error: unknown) => {
                expect(error).toMatchObject({ code: 'engine_unavailable' });
                refused += 1;
              },
            );
          }
        });
        for (let round = 0; round < 3; round += 1) {
          const [stored, failed] = [hashes.length, refused];
          while (hashes.length < stored + 20) await sleep(10);
          await server.kill();
          while (refused < failed + 4) await sleep(10);
          await server.start();
        }
        stopped = true;
        await Promise.all(writers);
        for (const hash of hashes) expect((await killed.get(hash)).length).toBe(200_000);
        process.stdout.write(
          `S3, 3 kills: ${hashes.length} blobs acknowledged, 0 lost; ${refused} puts refused\n`,
        );
      } finally {
        await server.stop();
        folder.remove();
      }
    }, 180_000);

    it('answers engine_unavailable while the store is away or silent, and goes on afterwards', async () => {
      const { proxy, url } = await TcpProxy.before(options.endpoint);
      try {
        const through = await openS3BlobStore({ ...options, endpoint: url });
        const hash = await through.put(Buffer.from('before'));
        proxy.set('refuse');
        for (const work of [
          through.put(Buffer.from('x')),
          through.get(hash),
          through.has(hash),
          through.delete(hash),
        ]) {
          await expect(work).rejects.toMatchObject({ code: 'engine_unavailable', retryAfter: 5 });
        }
        await expect(openS3BlobStore({ ...options, endpoint: url })).rejects.toMatchObject({
          code: 'engine_unavailable',
        });
        proxy.set('blackhole');
        const started = performance.now();
        await expect(through.get(hash)).rejects.toMatchObject({ code: 'engine_unavailable' });
        expect(performance.now() - started).toBeLessThan(40_000);
        proxy.set('pass');
        expect(Buffer.from(await through.get(hash)).toString()).toBe('before');
      } finally {
        await proxy.close();
      }
    }, 90_000);
  });
}

async function empty(store: BlobStore): Promise<void> {
  const hashes: string[] = [];
  for await (const { hash } of store.list()) hashes.push(hash);
  while (hashes.length > 0)
    await Promise.all(hashes.splice(0, 20).map((hash) => store.delete(hash)));
}
