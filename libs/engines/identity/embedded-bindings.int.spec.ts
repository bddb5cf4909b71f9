import { type BlobStore, FsBlobStore, FsKeyRing, silentLogger } from '#platform';
import { openSqliteWorkQueue } from '#queue';
import { asProjector, openReadModelDataSource, readModelBinding, SCHEMA } from '#read-model';
import { openSegmentIndex, segmentIndexBinding } from '#search-index';
import { logBindingContract } from '#test/contracts/log-binding.contract';
import { IndexedSource, uuidOf } from '#test/support/indexed-source';
import { tempDir } from '#test/support/temp-dir';

const TENANT = uuidOf('tenant one');

logBindingContract('blobs in files', async () => {
  const folder = tempDir();
  const store = await FsBlobStore.open(folder.path);
  return {
    binding: store.logBinding,
    reopen: async () => (await FsBlobStore.open(folder.path)).logBinding,
    fill: () => store.put(Buffer.from('blob')),
    content: () => blobsOf(store),
    dispose: async () => folder.remove(),
  };
});

logBindingContract('keys in files', async () => {
  const folder = tempDir();
  const ring = await FsKeyRing.open(folder.path);
  let sealed: Awaited<ReturnType<FsKeyRing['seal']>> | undefined;
  return {
    binding: ring.logBinding,
    reopen: async () => (await FsKeyRing.open(folder.path)).logBinding,
    fill: async () => (sealed = await ring.seal(TENANT, 'place', 'secret')),
    content: async () => (sealed ? ring.open(TENANT, 'place', sealed) : null),
    dispose: async () => folder.remove(),
  };
});

logBindingContract('queue on SQLite', async () => {
  const folder = tempDir();
  const open = () => openSqliteWorkQueue({ directory: folder.path });
  let queue = await open();
  return {
    binding: queue.logBinding,
    reopen: async () => {
      await queue.close();
      queue = await open();
      return queue.logBinding;
    },
    fill: () => queue.saveCheckpoint('dispatcher', 'place'),
    content: async () => [
      await queue.loadCheckpoint('dispatcher'),
      await queue.loadCheckpoint('log'),
    ],
    dispose: async () => {
      await queue.close();
      folder.remove();
    },
  };
});

logBindingContract('read models on PGlite', async () => {
  const folder = tempDir();
  const open = () =>
    openReadModelDataSource({
      kind: 'pglite',
      directory: `${folder.path}/read-models`,
      logger: silentLogger,
    });
  let dataSource = await open();
  return {
    binding: readModelBinding(dataSource),
    reopen: async () => {
      await dataSource.destroy();
      dataSource = await open();
      return readModelBinding(dataSource);
    },
    fill: () =>
      asProjector(dataSource, (manager) =>
        manager.query(
          `update ${SCHEMA}.checkpoints set position = 'place' where projection = 'sources'`,
        ),
      ),
    content: () => dataSource.query(`select * from ${SCHEMA}.checkpoints order by projection`),
    dispose: async () => {
      await dataSource.destroy();
      folder.remove();
    },
  };
});

logBindingContract('segments', async () => {
  const folder = tempDir();
  const source = new IndexedSource(TENANT, uuidOf('source'));
  let index = await openSegmentIndex({ directory: folder.path });
  return {
    binding: await segmentIndexBinding(folder.path),
    reopen: async () => {
      await index.close();
      index = await openSegmentIndex({ directory: folder.path });
      return segmentIndexBinding(folder.path);
    },
    fill: () =>
      index.applyGeneration(
        source.manifest(1, [source.pack([{ path: 'a.ts', text: 'plum' }])]),
        source.readBlob,
      ),
    content: () => index.generations(),
    dispose: async () => {
      await index.close();
      folder.remove();
    },
  };
});

async function blobsOf(store: Pick<BlobStore, 'list'>): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { hash } of store.list()) hashes.push(hash);
  return hashes;
}
