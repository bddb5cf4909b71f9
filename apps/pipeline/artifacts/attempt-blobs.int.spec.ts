import { randomBytes } from 'node:crypto';
import { rmSync, truncateSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type BlobStore, FsBlobStore, FsKeyRing, silentLogger } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { encodeArtifact } from './artifact.codec.js';
import { AttemptBlobs, type GivenParts } from './attempt-blobs.js';
import { blobOwner } from './blob-owner.js';
import { LostPartError } from './lost-part-error.js';

const OWNER = { tenant_id: 't1', source_id: 's1', job_id: 'j1' };
const CANARY = Buffer.from('a canary in the text');

describe('the blobs of an attempt', () => {
  let directory: ReturnType<typeof tempDir>;
  let store: FsBlobStore;
  let keyRing: FsKeyRing;
  let controller: AbortController;
  let left: number;
  let isBackedUp: boolean;
  beforeEach(async () => {
    directory = tempDir();
    store = await FsBlobStore.open(`${directory.path}/blobs`);
    keyRing = await FsKeyRing.open(`${directory.path}/keys`);
    controller = new AbortController();
    left = 0;
    isBackedUp = false;
  });
  afterEach(() => directory.remove());

  interface Given {
    owner?: typeof OWNER;
    store?: BlobStore;
    given?: GivenParts;
  }
  const attempt = (over: Given = {}) => {
    const dependencies = {
      store: over.store ?? store,
      keyRing,
      logger: silentLogger,
      mayDelete: () => !isBackedUp,
      onLeft: () => (left += 1),
    };
    return new AttemptBlobs(over.owner ?? OWNER, controller.signal, dependencies, over.given);
  };
  const names = async () => {
    const all: string[] = [];
    for await (const { hash } of store.list()) all.push(hash);
    return all;
  };

  /** A part that is too large for the listing. */
  const LARGE = Buffer.concat([CANARY, new Uint8Array(256 * 1024)]);

  /** Writes a listing, and has it stored. */
  const stored = async (blobs: AttemptBlobs, listing: object = { parts: [] }) => {
    const name = await blobs.parts.putListing(listing);
    await blobs.storeListing();
    return name;
  };

  it('seals parts with the key of the tenant, and shows whose they are', async () => {
    const hash = await attempt().parts.put(LARGE);
    expect(Buffer.from(await store.get(hash)).includes('canary')).toBe(false);
    expect(await blobOwner(store, hash)).toEqual({ tenantId: 't1', sourceId: 's1', kind: 'part' });
    expect(Buffer.from(await attempt().parts.get(hash))).toEqual(LARGE);
    await keyRing.destroy('t1');
    await expect(attempt().parts.get(hash)).rejects.toThrow('their key is not in the key ring');
    await expect(attempt().parts.put(LARGE)).rejects.toMatchObject({ code: 'key_destroyed' });
  });

  it('rejects a part of another tenant', async () => {
    const hash = await attempt().parts.put(LARGE);
    const other = attempt({ owner: { ...OWNER, tenant_id: 't2' } });
    await expect(other.parts.get(hash)).rejects.toThrow('a part of another tenant');
  });

  it('reads the parts of earlier versions, which are not sealed', async () => {
    const bytes = encodeArtifact({ a: 1 });
    const hash = await store.put(bytes);
    expect(Buffer.compare(await attempt().parts.get(hash), bytes)).toBe(0);
  });

  it('deletes what a failed attempt wrote, and leaves what it read to the next one', async () => {
    const input = await stored(attempt());
    const failing = attempt();
    await failing.parts.get(input);
    await failing.parts.put(LARGE);
    await failing.close('failed');
    expect([await names(), left]).toEqual([[input], 0]);
  });

  it('deletes what a successful attempt read', async () => {
    const input = await stored(attempt());
    const succeeding = attempt();
    await succeeding.parts.get(input);
    const output = await succeeding.parts.put(LARGE);
    await succeeding.close('succeeded');
    expect([await names(), left]).toEqual([[output], 0]);
  });

  it('deletes parts stored ahead, also small ones, unless a stage took them over', async () => {
    const ahead = attempt();
    const [taken, left] = await Promise.all([ahead.putAhead(CANARY), ahead.putAhead(LARGE)]);
    expect((await names()).sort()).toEqual([taken, left].sort());
    ahead.handOver(taken);
    await ahead.close('failed');
    expect(await names()).toEqual([taken]);
  });

  it.each(['failed', 'succeeded'] as const)(
    'deletes an adopted part or the one that it replaces, if the stage %s',
    async (end) => {
      const raw = await attempt().parts.put(LARGE);
      const adopted = await attempt().putAhead(LARGE);
      const stage = attempt();
      stage.parts.adopt(adopted);
      stage.parts.replace(raw);
      expect(stage.hasStoredInput).toBe(true);
      await stage.close(end);
      expect(await names()).toEqual([end === 'failed' ? raw : adopted]);
    },
  );

  it('reads small parts of the stage before from memory, and deletes them from the store', async () => {
    const before = attempt();
    const input = await before.parts.put(LARGE);
    const get = () => Promise.reject(new Error('read from the store'));
    const unread = Object.create(store, { get: { value: get } }) as BlobStore;
    const next = attempt({ store: unread, given: before.output });
    const first = await next.parts.get(input);
    structuredClone(first, { transfer: [first.buffer as ArrayBuffer] });
    expect(Buffer.from(await next.parts.get(input))).toEqual(LARGE);
    expect(await names()).toEqual([input]);
    await next.close('succeeded');
    expect(await names()).toEqual([]);
  });

  it('writes small parts with the listing, in one blob', async () => {
    const writing = attempt();
    const parts = [await writing.parts.put(CANARY), await writing.parts.put(Buffer.of(1, 2))];
    expect(await names()).toEqual([]);
    const listing = await stored(writing, { parts });
    expect(await names()).toEqual([listing]);
    for (const given of [undefined, writing.output]) {
      const reading = attempt({ ...(given && { given }) });
      expect(await reading.parts.getListing(listing)).toEqual({ parts });
      for (const [name, bytes] of [
        [parts[0], CANARY],
        [parts[1], Buffer.of(1, 2)],
        [parts[0], CANARY],
      ] as const) {
        const read = await reading.parts.get(name ?? '');
        expect(Buffer.from(read)).toEqual(bytes);
        structuredClone(read, { transfer: [read.buffer as ArrayBuffer] });
      }
      await expect(reading.parts.get('small:2')).rejects.toThrow('has no part small:2');
    }
  });

  it('writes a small listing only if somebody other than the next stage needs it', async () => {
    const writing = attempt();
    const listing = await writing.parts.putListing({ a: 1 });
    const { output } = writing;
    await writing.close('succeeded');
    const next = attempt({ given: output });
    expect(await next.parts.getListing(listing)).toEqual({ a: 1 });
    await next.close('succeeded');
    await expect(output.listing?.store()).rejects.toThrow('was abandoned');
    expect(await names()).toEqual([]);
    const large = await attempt().parts.putListing({ a: randomBytes(512 * 1024).toString('hex') });
    expect(await names()).toEqual([large]);
  });

  it.each([
    ['succeeded', 0],
    ['failed', 1],
  ] as const)('leaves a listing that was needed as any other input: %s', async (end, left) => {
    const writing = attempt();
    const listing = await writing.parts.putListing({ a: 1 });
    const next = attempt({ given: writing.output });
    await writing.close('succeeded');
    await next.parts.getListing(listing);
    expect(next.hasStoredInput).toBe(false);
    await writing.output.listing?.store();
    expect(next.hasStoredInput).toBe(true);
    expect(await names()).toEqual([listing]);
    await next.close(end);
    expect(await names()).toHaveLength(left);
  });

  it('deletes its listing if it fails after storing it, and writes none once aborted', async () => {
    const failing = attempt();
    await stored(failing);
    await failing.close('failed');
    expect(await names()).toEqual([]);
    const late = attempt();
    await late.parts.putListing({});
    controller.abort(new Error('The source was removed'));
    await expect(late.storeListing()).rejects.toThrow('The source was removed');
    expect(await names()).toEqual([]);
  });

  it('writes at most 256 KiB of small parts with the listing', async () => {
    const writing = attempt();
    const quarter = 64 * 1024;
    const small = new Set<string>();
    for (let count = 0; count < 4; count += 1)
      small.add(await writing.parts.put(new Uint8Array(quarter).fill(count)));
    expect(await names()).toEqual([]);
    const further = await writing.parts.put(CANARY);
    expect(await names()).toEqual([further]);
    const listing = await stored(writing);
    const reading = attempt();
    await reading.parts.getListing(listing);
    for (const [count, name] of [...small].entries())
      expect(Buffer.from(await reading.parts.get(name))).toEqual(Buffer.alloc(quarter, count));
    await reading.parts.get(further);
    await reading.close('succeeded');
    expect(await names()).toEqual([]);
  });

  it.each([
    ['missing', (path: string) => rmSync(path)],
    ['torn', (path: string) => truncateSync(path, 100)],
    ['empty', (path: string) => truncateSync(path, 0)],
  ])('reports a part that is %s as lost', async (_, damage) => {
    const listing = await stored(attempt());
    damage(`${directory.path}/blobs/${listing.slice(0, 2)}/${listing}`);
    await expect(attempt().parts.getListing(listing)).rejects.toBeInstanceOf(LostPartError);
  });

  it('keeps at most 1 MiB of parts in memory', async () => {
    const writing = attempt();
    const large = await writing.parts.put(new Uint8Array(1024 * 1024));
    const further = await writing.parts.put(LARGE);
    expect([...writing.output.parts.keys()]).toEqual([large]);
    expect(Buffer.from(await attempt({ given: writing.output }).parts.get(further))).toEqual(LARGE);
    const larger = attempt();
    await larger.parts.put(new Uint8Array(1024 * 1024 + 1));
    expect(larger.output.parts.size).toBe(0);
  });

  it('deletes nothing where the log may name its parts, and asks for a collection', async () => {
    const unsure = attempt();
    const output = await unsure.parts.put(LARGE);
    await unsure.close('unknown');
    expect([await names(), left]).toEqual([[output], 1]);
  });

  it('deletes nothing while a backup copies what the copied log names, and asks for a collection', async () => {
    const input = await stored(attempt());
    const succeeding = attempt();
    await succeeding.parts.get(input);
    isBackedUp = true;
    await succeeding.close('succeeded');
    expect([await names(), left]).toEqual([[input], 1]);
  });

  it('asks for a collection after a failed attempt that wrote a pack: another generation may have the same one', async () => {
    const failing = attempt();
    await failing.blobs.put(CANARY);
    await failing.close('failed');
    expect([(await names()).length, left]).toEqual([1, 1]);
  });

  it('writes nothing once it was aborted or closed, and deletes what was in flight', async () => {
    const reached = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const slow = Object.create(store, {
      put: {
        value: async (bytes: Uint8Array) => {
          reached.resolve();
          await proceed.promise;
          return store.put(bytes);
        },
      },
    }) as BlobStore;
    const late = attempt({ store: slow });
    const put = late.parts.put(LARGE);
    const refused = expect(put).rejects.toThrow('The source was removed');
    await reached.promise;
    controller.abort(new Error('The source was removed'));
    await expect(late.parts.put(LARGE)).rejects.toThrow('The source was removed');
    await expect(late.blobs.put(CANARY)).rejects.toThrow('The source was removed');
    const closed = late.close('failed');
    proceed.resolve();
    await Promise.all([refused, closed]);
    expect(await names()).toEqual([]);
  });
});
