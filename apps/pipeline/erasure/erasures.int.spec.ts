import { existsSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { EventStore } from '#event-store';
import { FsKeyRing, personKeys, uuidv7 } from '#platform';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';
import { readLog } from '#test/support/read-log';
import { proposed } from '#test/support/sample-events';
import { scipTable, uploadScipTable } from '#test/support/scip-table';
import { commandTenant, erasedTenant, requestErasure } from '#test/support/tenant-erasure';

/** Everything that was written so far is settled by then. */
const LATER = () => new Date(Date.now() + 3_600_000);
const [ERASED, OTHER] = [
  '0190b5e4-7b1d-7000-8000-00000000000a',
  '0190b5e4-7b1d-7000-8000-00000000000b',
];

describe('the erasure of a tenant', () => {
  let harness: PipelineHarness;
  let repository: TestRepository;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    repository = TestRepository.create(`${harness.directory.path}/repository`, {
      'a.ts': 'export const shared = 1;\n',
    });
    for (const tenant_id of [ERASED, OTHER])
      await commandTenant(harness, tenant_id, {
        type: 'CreateTenant',
        data: { tenant_id, name: 'T' },
      });
  });
  afterEach(() => harness.close());

  const request = () => requestErasure(harness, ERASED);
  const erased = () => erasedTenant(harness, ERASED);
  const blobs = async () => {
    const all = new Set<string>();
    for await (const { hash } of harness.blobs.list()) all.add(hash);
    return all;
  };
  /** A source of each tenant on the same repository, synced. @returns the manifest of each. */
  const syncBoth = async () => {
    const manifests: string[] = [];
    for (const tenant of [ERASED, OTHER]) {
      const job = await harness.sync(tenant, await harness.registerSource(tenant, repository.url));
      if (job.status !== 'completed') throw new Error(`The sync ended as ${job.status}`);
      manifests.push(job.published.manifest);
    }
    return manifests as [string, string];
  };

  it('destroys key, content, files and clones of the tenant, reports how much, and keeps what others have', async () => {
    await harness.start({ now: LATER });
    const sealed = await harness.keyRing.seal(ERASED, 'c', 'a query');
    const kept = await harness.keyRing.seal(OTHER, 'c', 'another');
    const [own, others] = await syncBoth();
    const sources = (await readLog(harness.store)).filter(
      ({ type }) => type === 'SourceRegistered',
    );
    const [first, second] = sources.map(
      ({ data }) => (data as { source_id: string }).source_id,
    ) as [string, string];
    const clones = `${harness.directory.path}/data/scratch/git`;
    expect((await readdir(clones)).sort()).toEqual(expect.arrayContaining([first, second]));
    // The same file, uploaded by both.
    const upload = await harness.blobs.put(Buffer.from('%PDF-1.7 of both'));
    const alone = await harness.blobs.put(Buffer.from('%PDF-1.7 of one'));
    for (const [tenant, blob] of [
      [ERASED, upload],
      [OTHER, upload],
      [ERASED, alone],
    ] as const) {
      const definition = {
        source_type: 'pdf',
        upload: { blob, file_name: 'a.pdf', bytes: 16 },
      } as const;
      await harness.registerSource(tenant, 'upload:a.pdf', definition);
    }
    const table = await uploadScipTable(harness, ERASED, first, 'a#');
    const unnamed = await harness.blobs.put(await scipTable(ERASED, first, 'b#'));
    const theirs = await uploadScipTable(harness, OTHER, second, 'a#');
    const before = await blobs();

    await request();
    const destroyed = await erased();

    const after = await blobs();
    expect([table, unnamed, theirs].map((blob) => after.has(blob))).toEqual([false, false, true]);
    expect(destroyed).toEqual({
      sources: 3,
      jobs: 0,
      people: 0,
      generations: 1,
      blobs: before.size - after.size,
      blob_bytes: expect.any(Number),
    });
    expect(destroyed.blob_bytes).toBeGreaterThan(100);
    expect([after.has(own), after.has(alone), after.has(others), after.has(upload)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(await harness.index.chunksOf(others)).toHaveLength(1);
    expect(await harness.keyRing.open(ERASED, 'c', sealed)).toBeNull();
    expect(await harness.keyRing.open(OTHER, 'c', kept)).toBe('another');
    expect([existsSync(`${clones}/${first}`), existsSync(`${clones}/${second}`)]).toEqual([
      false,
      true,
    ]);
    // The chain of events is whole.
    expect((await readLog(harness.store)).map(({ type }) => type)).toContain('SourceRegistered');
  });

  it('cancels what runs, and waits with what others may be about to name', async () => {
    const working = Promise.withResolvers<AbortSignal>();
    await harness.start({
      stages: {
        fetch: async ({ parts, signal }) => {
          await parts.put(Buffer.from('half of it'));
          working.resolve(signal);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          throw signal.reason;
        },
      },
    });
    const job = await harness.requestSync(
      ERASED,
      await harness.registerSource(ERASED, repository.url),
    );
    const running = await working.promise;
    const blob = await harness.blobs.put(Buffer.from('%PDF-1.7 just now'));
    const definition = {
      source_type: 'pdf',
      upload: { blob, file_name: 'a.pdf', bytes: 17 },
    } as const;
    await harness.registerSource(ERASED, 'upload:a.pdf', definition);
    await request();
    expect((await harness.ended(job)).status).toBe('cancelled');
    expect(running.aborted).toBe(true);
    await harness.until(
      async () => (await harness.keyRing.standing(ERASED)) === 'destroyed' || null,
      'the key to go',
    );
    await harness.until(async () => ((await blobs()).size === 1 ? true : null), 'the half to go');
    expect(await harness.blobs.has(blob)).toBe(true);
    // An hour later, after a restart: nobody was about to name it.
    await harness.restart({ now: LATER });
    expect(await erased()).toMatchObject({ sources: 2, jobs: 1, generations: 0, blobs: 1 });
    expect(await harness.blobs.has(blob)).toBe(false);
  });

  it('goes on after it was cut short at any step', async () => {
    await harness.start({ now: LATER });
    await syncBoth();
    await harness.pipeline?.stop();
    await request();
    // Each life of the process ends at its next effect, as by a kill.
    let lives = 0;
    for (; lives < 40; lives += 1) {
      let left = lives;
      const dead = Promise.withResolvers<void>();
      const spend = async <T>(work: () => Promise<T>): Promise<T> => {
        if (left <= 0) {
          dead.resolve();
          return new Promise<T>(() => undefined);
        }
        left -= 1;
        return work();
      };
      const deleteIfOlder = harness.blobs.deleteIfOlder.bind(harness.blobs);
      const remove = harness.blobs.delete.bind(harness.blobs);
      harness.blobs.deleteIfOlder = (...given) => spend(() => deleteIfOlder(...given));
      harness.blobs.delete = (hash) => spend(() => remove(hash));
      const keyRing = Object.create(harness.keyRing, {
        destroy: { value: (id: string) => spend(() => harness.keyRing.destroy(id)) },
      }) as FsKeyRing;
      await harness.start({
        now: LATER,
        keyRing,
        wrapStore: (store) =>
          Object.create(store, {
            append: {
              value: (...given: Parameters<EventStore['append']>) =>
                spend(() => store.append(...given)),
            },
          }) as EventStore,
      });
      const outcome = await Promise.race([
        erased().then(() => 'erased'),
        dead.promise.then(() => 'dead'),
      ]);
      await Promise.race([
        harness.pipeline?.stop(),
        new Promise((resolve) => setTimeout(resolve, 100)),
      ]);
      Object.assign(harness.blobs, { deleteIfOlder, delete: remove });
      if (outcome === 'erased') break;
    }
    expect(lives).toBeGreaterThan(3);
    expect(await harness.keyRing.standing(ERASED)).toBe('destroyed');
    const log = await readLog(harness.store);
    for (const type of ['SourceRemoved', 'GenerationDropped', 'TenantErased']) {
      expect(log.filter((event) => event.type === type)).toHaveLength(1);
    }
  });

  it('is done again where an older key ring is put back, and to what comes late', async () => {
    await harness.start({ now: LATER });
    await harness.keyRing.seal(ERASED, 'c', 'a query');
    const keys = `${harness.directory.path}/keys`;
    await cp(keys, `${keys}-before`, { recursive: true });
    await request();
    await erased();
    await harness.pipeline?.stop();

    const older = await FsKeyRing.open(`${keys}-before`);
    expect(await older.standing(ERASED)).toBe('present');
    await harness.start({ now: LATER, keyRing: older });
    await harness.until(
      async () => (await older.standing(ERASED)) === 'destroyed' || null,
      'the key to go again',
    );
    const late = await harness.registerSource(ERASED, repository.url);
    await harness.until(
      async () => (await harness.types(`source-${late}`)).includes('SourceRemoved') || null,
      'the late source to be removed',
    );
  });

  it('waits for the release of a legal hold, also with what people and sources leave', async () => {
    await harness.start();
    const [sourceId, otherSource] = [
      await harness.registerSource(ERASED, repository.url),
      await harness.registerSource(OTHER, repository.url),
    ];
    await harness.sync(ERASED, sourceId);
    await harness.sync(OTHER, otherSource);
    const people = [uuidv7(), uuidv7()] as const;
    for (const [tenant, user] of [
      [ERASED, people[0]],
      [OTHER, people[1]],
    ] as const)
      await joined(tenant, user);
    await commandTenant(harness, ERASED, { type: 'SetLegalHold', data: { reason: 'sealed' } });
    await expect(request()).rejects.toMatchObject({ code: 'legal_hold' });
    const leave = async (tenant: string, source: string, user: string) => {
      await harness.commandSource(tenant, source, { type: 'RemoveSource', data: {} });
      const left = { type: 'MemberRemoved', data: { user_id: user } } as const;
      await harness.store.append(
        `members-${tenant}`,
        [proposed(left, { tenant_id: tenant })],
        'any',
      );
    };
    const dropped = async (source: string) =>
      (await harness.types(`generation-${source}`)).at(-1) === 'GenerationDropped' || null;
    const destroyed = async (user: string) =>
      (await harness.keyRing.standing(personKeys(user))) === 'destroyed' || null;
    await leave(ERASED, sourceId, people[0]);
    await leave(OTHER, otherSource, people[1]);
    await harness.until(() => dropped(otherSource), 'the generation of the other tenant to go');
    await harness.until(() => destroyed(people[1]), 'the key of the other person to go');
    expect([await dropped(sourceId), await destroyed(people[0])]).toEqual([null, null]);
    await harness.restart();
    const later = uuidv7();
    await joined(OTHER, later);
    const left = { type: 'MemberRemoved', data: { user_id: later } } as const;
    await harness.store.append(`members-${OTHER}`, [proposed(left, { tenant_id: OTHER })], 'any');
    await harness.until(() => destroyed(later), 'a later person of the other tenant to go');
    expect([await dropped(sourceId), await destroyed(people[0])]).toEqual([null, null]);
    await commandTenant(harness, ERASED, { type: 'ReleaseLegalHold', data: { reason: 'sealed' } });
    await harness.until(() => dropped(sourceId), 'the generation to go after the release');
    await harness.until(() => destroyed(people[0]), 'the key to go after the release');
  });

  /** Appends a member who has a personal key. */
  const joined = async (tenant: string, user_id: string): Promise<void> => {
    const address = await harness.keyRing.seal(personKeys(user_id), 'address', 'ada@example.com');
    const name = user_id.replaceAll('-', '').repeat(2);
    const person = { user_id, tenant_id: tenant, fingerprints: [name], address };
    const by = { tenant_id: tenant };
    const reserved = { type: 'AddressReserved', data: { user_id } } as const;
    const registered = {
      type: 'UserRegistered',
      data: { ...person, display_name: null, password: null, role: 'member' },
    } as const;
    await harness.store.append(`address-${name}`, [proposed(reserved, by)], 'any');
    await harness.store.append(`user-${user_id}`, [proposed(registered, by)], 'any');
  };
});
