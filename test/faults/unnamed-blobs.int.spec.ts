import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { encodeArtifact } from '#apps/pipeline/artifacts/artifact.codec';
import type { EventStore } from '#event-store';
import { type BlobStore, uuidv7 } from '#platform';
import { TestRepository } from '#test/support/git-repository';
import { type HarnessOptions, PipelineHarness } from '#test/support/pipeline-harness';
import { filesThatHold } from '#test/support/stored-bytes';
import { commandTenant, erasedTenant, requestErasure } from '#test/support/tenant-erasure';

const CANARY = 'canaryOfTheErasedTenant';
/**
 * The blobs that a first sync of the text writes: parts and listings of its stages, then pack and
 * manifest. A smaller source would keep its parts in memory.
 */
const WRITES = 7;
/** Text of some 320 KiB that hardly compresses, with the canary in each line. */
const TEXT = Array.from({ length: 1_600 }, (_, at) => {
  const words = createHash('sha512').update(`${at}`).digest('hex').match(/.{5}/g) ?? [];
  return `export const ${CANARY}${at} = ${at}; // ${words.join(' ')}\n`;
}).join('');
const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000);

describe('blobs that no event names', () => {
  let harness: PipelineHarness;
  let repository: TestRepository;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    repository = TestRepository.create(`${harness.directory.path}/repository`, {
      'a.ts': TEXT,
    });
  });
  afterEach(() => harness.close());

  const newTenant = async () => {
    const tenant = uuidv7();
    await commandTenant(harness, tenant, {
      type: 'CreateTenant',
      data: { tenant_id: tenant, name: 'T' },
    });
    return tenant;
  };
  const names = async () => {
    const all: string[] = [];
    for await (const { hash } of harness.blobs.list()) all.push(hash);
    return all;
  };
  const canaries = () =>
    ['blobs', 'data', 'log', 'queue']
      .map((folder) => `${harness.directory.path}/${folder}`)
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => filesThatHold(folder, CANARY));

  /**
   * Starts a sync and ends the process, as by a kill, right after its n-th blob was written.
   * Nothing that this process still does reaches log or store.
   *
   * @returns the source and its job.
   */
  const killedAtWrite = async (tenant: string, write: number) => {
    const dead = Promise.withResolvers<void>();
    let left = write;
    let isDead = false;
    const unlessDead = async <T>(work: () => Promise<T>): Promise<T> => {
      if (isDead) throw new Error('This process was killed');
      return work();
    };
    const wrapBlobs = (blobs: BlobStore): BlobStore =>
      Object.create(blobs, {
        put: {
          value: (...given: Parameters<BlobStore['put']>) =>
            unlessDead(async () => {
              const hash = await blobs.put(...given);
              left -= 1;
              if (left > 0) return hash;
              isDead = true;
              dead.resolve();
              throw new Error('This process was killed');
            }),
        },
        delete: { value: (hash: string) => unlessDead(() => blobs.delete(hash)) },
        deleteIfOlder: {
          value: (...given: [string, number]) => unlessDead(() => blobs.deleteIfOlder(...given)),
        },
      }) as BlobStore;
    const wrapStore = (store: EventStore): EventStore =>
      Object.create(store, {
        append: {
          value: (...given: Parameters<EventStore['append']>) =>
            unlessDead(() => store.append(...given)),
        },
      }) as EventStore;
    await harness.start({ wrapBlobs, wrapStore });
    const source = await harness.registerSource(tenant, repository.url);
    const job = await harness.requestSync(tenant, source);
    const ended = harness.ended(job).then(() => {
      throw new Error(`The sync ended after ${write - left} of ${write} writes`);
    });
    await Promise.race([dead.promise, ended]);
    await harness.pipeline?.stop();
    return { source, job };
  };
  const restart = (options: HarnessOptions = {}) => harness.start(options);

  it('are gone when TenantErased is written, whichever write of a sync a kill followed', async () => {
    for (let write = 1; write <= WRITES; write += 1) {
      const tenant = await newTenant();
      await killedAtWrite(tenant, write);
      expect([write, (await names()).length]).not.toEqual([write, 0]);
      await requestErasure(harness, tenant);
      await restart({ now: IN_AN_HOUR });
      const { blobs, blob_bytes } = await erasedTenant(harness, tenant);
      expect([write, await names(), canaries()]).toEqual([write, [], []]);
      expect(blobs > 0 && blob_bytes > 0).toBe(true);
      await harness.pipeline?.stop();
    }
  }, 120_000);

  it.each([1, 4, WRITES - 1])(
    'are gone soon after a cancel or a removal, a kill after write %d before',
    async (write) => {
      const tenant = await newTenant();
      for (const end of ['cancel', 'remove'] as const) {
        const { source, job } = await killedAtWrite(tenant, write);
        expect(await names()).not.toEqual([]);
        if (end === 'cancel')
          await harness.commandJob(tenant, job, { type: 'CancelJob', data: {} });
        else await harness.commandSource(tenant, source, { type: 'RemoveSource', data: {} });
        const pipeline = await restart();
        await harness.ended(job);
        await harness.until(async () => {
          await pipeline.collect();
          return (await names()).length === 0 || null;
        }, `the blobs to go after ${end}`);
        expect(canaries().filter((file) => !file.includes('/scratch/'))).toEqual([]);
        await pipeline.stop();
      }
    },
  );

  it('are kept while their job goes on, and gone when it has ended well', async () => {
    const tenant = await newTenant();
    const { job } = await killedAtWrite(tenant, 3);
    const pipeline = await restart();
    await pipeline.collect();
    expect((await harness.ended(job)).status).toBe('completed');
    await harness.until(async () => {
      await pipeline.collect();
      return (await names()).length === 2 || null;
    }, 'all but pack and manifest to go');
  });

  it('of a removed source go with its generations and its file; what others have stays', async () => {
    const tenant = await newTenant();
    const pipeline = await harness.start({ now: IN_AN_HOUR });
    const [removed, kept] = [
      await harness.registerSource(tenant, repository.url),
      await harness.registerSource(tenant, repository.url),
    ];
    for (const source of [removed, kept]) await harness.sync(tenant, source);
    const [own, shared] = [
      await harness.blobs.put(Buffer.from('%PDF-1.7 own')),
      await harness.blobs.put(Buffer.from('%PDF-1.7')),
    ];
    const uploads = [];
    for (const blob of [own, shared, shared]) {
      const definition = {
        source_type: 'pdf',
        upload: { blob, file_name: 'a.pdf', bytes: 8 },
      } as const;
      uploads.push(await harness.registerSource(tenant, 'upload:a.pdf', definition));
    }
    for (const source of [removed, ...uploads.slice(0, 2)]) {
      await harness.commandSource(tenant, source, { type: 'RemoveSource', data: {} });
    }
    await harness.until(async () => {
      await pipeline.collect();
      return (await names()).length === 3 || null;
    }, 'the generation and the file to go');
    expect(await names()).toContain(shared);
    expect((await harness.sync(tenant, kept)).status).toBe('completed');
  });

  it('make the erasure wait where they show no owner, until it is settled that nobody is about to name them', async () => {
    const tenant = await newTenant();
    // Parts of an earlier version, and a file whose upload was cut short; both may be of the
    // tenant.
    const [old, upload] = [
      await harness.blobs.put(encodeArtifact([{ path: CANARY }], [Buffer.from(CANARY)])),
      await harness.blobs.put(Buffer.from(`%PDF-1.7 ${CANARY}`)),
    ];
    let passed = 10_000;
    await harness.start({ now: () => new Date(Date.now() + passed) });
    await requestErasure(harness, tenant);
    await harness.until(
      async () => ((await harness.keyRing.standing(tenant)) === 'destroyed' ? true : null),
      'the key',
    );
    expect((await names()).sort()).toEqual([old, upload].sort());
    expect(await harness.types(`tenant-${tenant}`)).not.toContain('TenantErased');
    passed = 120_000;
    await erasedTenant(harness, tenant);
    expect([await names(), canaries()]).toEqual([[], []]);
  });

  it('cannot claim an owner by the bytes of an uploaded file', async () => {
    const tenant = await newTenant();
    const claim = `{"format":1,"tenant_id":"${tenant}","source_id":"s","pdf":"%PDF-1.7"}`;
    const hash = await harness.blobs.put(Buffer.from(claim));
    const other = await newTenant();
    await harness.start({ now: IN_AN_HOUR });
    await requestErasure(harness, other);
    await erasedTenant(harness, other);
    expect(await harness.blobs.has(hash)).toBe(false);
  });
});
