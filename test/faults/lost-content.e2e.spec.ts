import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { Manifest, NoEvidence } from '#contracts';
import { dataFolders, openEngines } from '#engines';
import { type BlobStore, loadConfig, silentLogger } from '#platform';
import type { JobView, SearchView, SourceView } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { ON_STACK } from '#test/support/stack/stack-environment';
import { TwoTenantService } from '#test/support/two-tenants';

interface Source extends SourceView {
  readonly last_error: string | null;
}

interface Doctor {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly state: string;
    readonly detail: string;
  }[];
}

type Answer = SearchView &
  Partial<NoEvidence> & { readonly results?: readonly { readonly content: string }[] };

const WORD = 'marmosetquibble';

describe('content that is lost', () => {
  let service: TwoTenantService;
  let first: TestRepository;
  let alpha: Source;
  let beta: Source;
  let theirs: Source;

  beforeAll(async () => {
    service = await TwoTenantService.start();
    first = repository('alpha', 3);
    alpha = (await service.first.createRepo('Alpha', first.url)) as Source;
    beta = (await service.first.createRepo('Beta', repository('beta', 2).url)) as Source;
    theirs = (await service.second.createRepo('Theirs', repository('theirs', 2).url)) as Source;
    await service.first.syncToEnd(alpha.id);
    await service.first.syncToEnd(beta.id);
    await service.second.syncToEnd(theirs.id);
  }, 180_000);
  afterAll(() => service.dispose());

  /** Files of one chunk each, all of which a search for the word finds. */
  function repository(name: string, files: number): TestRepository {
    const texts = Array.from({ length: files }, (_, at) => [
      `src/${name}${at}.ts`,
      `/** The ${WORD} of ${name} ${at}. */\nexport const ${name}${at} = ${at};\n`,
    ]);
    return TestRepository.create(
      join(service.scratch, name),
      Object.fromEntries(texts) as Record<string, string>,
    );
  }

  const shown = (source: Source, client = service.first) =>
    client.expect<Source>('GET', `/sources/${source.id}`);
  const doctor = async () => (await service.operate('doctor')) as Doctor;
  const check = ({ checks }: Doctor, name: string) => checks.find((each) => each.name === name);

  async function search(
    path = '/search',
    fields: object = {},
    client = service.first,
  ): Promise<Answer> {
    return client.expect<Answer>('POST', path, {
      query: WORD,
      top_k: 20,
      max_tokens: 8_000,
      ...fields,
    });
  }

  function found({ results = [] }: Answer): string[] {
    return [...new Set(results.map(({ citation }) => citation.source_id))].sort();
  }

  /** Expects an answer of a search as soon as every process knows the state of its content. */
  async function expectAnswer(
    sources: readonly string[],
    warnings: readonly string[],
    path = '/search',
    client = service.first,
  ): Promise<void> {
    const deadline = Date.now() + 60_000;
    let answer = await search(path, {}, client);
    while (JSON.stringify(answer.warnings) !== JSON.stringify(warnings) && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await search(path, {}, client);
    }
    expect([path, found(answer), answer.warnings]).toEqual([path, sources, warnings]);
  }

  const both = () => [alpha.id, beta.id].sort();
  const message = (what: string, generation: number) =>
    `Content of this source is missing: ${what} of generation ${generation}. Sync the source to rebuild it.`;

  /**
   * Works on the blob store of the service while that is stopped, and removes its index too on
   * request.
   */
  async function restart(
    change: (blobs: BlobStore) => Promise<void>,
    options: { index?: 'lost' } = {},
  ): Promise<void> {
    await service.restart(async () => {
      const engines = await openEngines(loadConfig(service.variables), silentLogger, ['blobs']);
      try {
        await change(engines.blobs);
      } finally {
        await engines.close();
      }
      if (options.index === 'lost') await loseIndex();
    });
  }

  async function loseIndex(): Promise<void> {
    rmSync(dataFolders(service.dataDir).index, { recursive: true, force: true });
    const { OPENSEARCH_URL: url, OPENSEARCH_INDEX_PREFIX: prefix } = service.variables;
    if (!ON_STACK) return;
    const { status } = await fetch(`${url}/${prefix}-*`, { method: 'DELETE' });
    expect(status).toBe(200);
  }

  /** The manifests of the store, each with its name; a blob that is no manifest is left out. */
  async function manifests(blobs: BlobStore): Promise<(Manifest & { readonly hash: string })[]> {
    const all: (Manifest & { readonly hash: string })[] = [];
    for await (const { hash } of blobs.list()) {
      const text = Buffer.from(await blobs.get(hash)).toString();
      if (text.startsWith('{"format":1,')) all.push({ ...(JSON.parse(text) as Manifest), hash });
    }
    return all;
  }

  /** Every blob that a source's generations are made of. */
  async function loseAllOf(blobs: BlobStore, sourceIds: readonly string[]): Promise<void> {
    const lost = (await manifests(blobs)).filter(({ source_id }) => sourceIds.includes(source_id));
    expect(lost.length).toBeGreaterThanOrEqual(sourceIds.length);
    for (const { hash, packs } of lost) {
      for (const pack of packs) await blobs.delete(pack.hash);
      await blobs.delete(hash);
    }
  }

  async function newest(
    blobs: BlobStore,
    sourceId: string,
  ): Promise<Manifest & { readonly hash: string }> {
    const own = (await manifests(blobs)).filter(({ source_id }) => source_id === sourceId);
    const last = own.sort((a, b) => a.generation - b.generation).at(-1);
    if (!last) throw new Error('The source has no manifest');
    return last;
  }

  async function expectSoon(source: Source, expected: Partial<Source>): Promise<void> {
    const deadline = Date.now() + 20_000;
    let now = await shown(source);
    while (now.status !== expected.status && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      now = await shown(source);
    }
    expect(now).toMatchObject(expected);
  }

  async function expectHealthy(): Promise<void> {
    for (const source of [alpha, beta]) {
      expect(await shown(source)).toMatchObject({ status: 'synced', last_error: null });
    }
    for (const path of ['/search', '/search/rmh']) await expectAnswer(both(), [], path);
    const report = await doctor();
    expect(report.checks.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(check(report, 'content')).toMatchObject({ state: 'ok' });
    expect(check(report, 'index')?.detail).toBe('3 published generations equal their packs');
  }

  /** Nothing that is lost to the first tenant is seen by the second. */
  async function expectSecondUntouched(): Promise<void> {
    expect(await shown(theirs, service.second)).toMatchObject({
      status: 'synced',
      last_error: null,
    });
    for (const path of ['/search', '/search/rmh'])
      await expectAnswer([theirs.id], [], path, service.second);
  }

  async function expectHealedBySync(source: Source, chunks: number): Promise<JobView> {
    const job = await service.first.syncToEnd(source.id);
    const created = { chunks_created: chunks, chunks_updated: 0, chunks_deleted: 0 };
    expect(job).toMatchObject({ ...created, files_processed: chunks });
    return job;
  }

  it('with the index intact: the source says so, searches go on with a warning, a sync heals it', async () => {
    await restart((blobs) => loseAllOf(blobs, [alpha.id, beta.id]));
    for (const source of [alpha, beta]) {
      await expectSoon(source, { status: 'error', last_error: message('the manifest', 1) });
    }
    const warnings = ['Alpha', 'Beta'].map(
      (name) =>
        `Content of "${name}" is missing and only the search index still has it; sync it to build it again`,
    );
    await expectAnswer(both(), warnings);
    expect(check(await doctor(), 'content')).toEqual({
      name: 'content',
      state: 'failed',
      detail: '2 of 4 blobs are missing: Alpha, Beta; sync these sources',
    });
    await expectSecondUntouched();
    await service.operate('rebuild');
    await expectSoon(alpha, { status: 'error', last_error: message('the manifest', 1) });
    await expectAnswer(both(), warnings);
    await expectHealedBySync(alpha, 3);
    await expectHealedBySync(beta, 2);
    await expectHealthy();
  }, 180_000);

  it('with the index lost too: the service is ready, the others answer, and what is lost is named', async () => {
    const before = await service.first.call('POST', '/search', { query: WORD });
    await restart((blobs) => loseAllOf(blobs, [alpha.id]), { index: 'lost' });
    await expectSoon(alpha, { status: 'error', last_error: message('the manifest', 2) });
    expect(await shown(beta)).toMatchObject({ status: 'synced', last_error: null });
    const warnings = ['Content of "Alpha" is missing; sync it to search it again'];
    for (const path of ['/search', '/search/rmh']) await expectAnswer([beta.id], warnings, path);
    expect((await search('/search', { source_ids: [beta.id] })).warnings).toEqual([]);
    expect((await search('/search', { source_ids: [alpha.id] })).suggestions?.[0]).toBe(
      warnings[0],
    );
    const listed = await service.first.expect<{ sources: Source[]; total: number }>(
      'GET',
      '/sources?status=error',
    );
    expect([listed.total, listed.sources.map(({ id }) => id)]).toEqual([1, [alpha.id]]);
    expect(
      await service.first.call('GET', `/sources/${alpha.id}/content?path=src/alpha0.ts`),
    ).toMatchObject({
      status: 409,
      body: { code: 'content_missing', error: message('the manifest', 2) },
    });
    const replay = await service.first.call(
      'POST',
      `/receipts/${before.headers.get('x-receipt-id') ?? ''}/replay`,
    );
    expect(replay).toMatchObject({ status: 409, body: { code: 'content_missing' } });
    expect(check(await doctor(), 'content')?.detail).toBe(
      '1 of 5 blobs are missing: Alpha; sync these sources',
    );
    await expectSecondUntouched();

    await service.operate('rebuild');
    await expectSoon(alpha, { status: 'error', last_error: message('the manifest', 2) });
    await expectAnswer([beta.id], warnings);
    await service.restart();
    await expectAnswer([beta.id], warnings);

    await expectHealedBySync(alpha, 3);
    await expectHealthy();
    const lines = await service.first.expect<{ content: string }>(
      'GET',
      `/sources/${alpha.id}/content?path=src/alpha0.ts`,
    );
    expect(lines.content).toContain(WORD);
  }, 180_000);

  it.each(['kept', 'lost'] as const)(
    'one pack of two lost, the index %s: heals in full',
    async (index) => {
      first.commit({
        [`src/${index}.ts`]: `/** One more ${WORD}. */\nexport const ${index} = 1;\n`,
      });
      expect(await service.first.syncToEnd(alpha.id)).toMatchObject({ chunks_created: 1 });
      const chunks = (await shown(alpha)).chunk_count;
      let generation = 0;
      const lose = async (blobs: BlobStore) => {
        const manifest = await newest(blobs, alpha.id);
        expect(manifest.packs).toHaveLength(2);
        generation = manifest.generation;
        await blobs.delete(manifest.packs[0]?.hash ?? '');
      };
      await restart(lose, index === 'lost' ? { index } : {});
      await expectSoon(alpha, { status: 'error', last_error: message('1 of 2 packs', generation) });
      const warning = {
        kept: 'Content of "Alpha" is missing and only the search index still has it; sync it to build it again',
        lost: 'Content of "Alpha" is missing; sync it to search it again',
      }[index];
      await expectAnswer(index === 'lost' ? [beta.id] : both(), [warning]);
      expect(check(await doctor(), 'content')?.detail).toBe(
        '1 of 7 blobs are missing: Alpha; sync these sources',
      );
      await expectSecondUntouched();
      await expectHealedBySync(alpha, chunks);
      await expectHealthy();
    },
    180_000,
  );

  it('a sync heals what is lost while the service runs', async () => {
    const { chunk_count } = await shown(alpha);
    const variables = { ...service.variables, DATA_DIR: `${service.dataDir}-other` };
    if (ON_STACK) {
      const engines = await openEngines(loadConfig(variables), silentLogger, ['blobs']);
      await loseAllOf(engines.blobs, [alpha.id]).finally(() => engines.close());
    } else {
      rmSync(dataFolders(service.dataDir).blobs, { recursive: true });
    }
    const report = await doctor();
    expect(check(report, 'content')?.state).toBe('failed');
    await expectSoon(alpha, { status: 'error' });
    await expectHealedBySync(alpha, chunk_count);
    if (!ON_STACK) {
      await expectHealedBySync(beta, 2);
      await service.second.syncToEnd(theirs.id);
    }
    await expectHealthy();
  }, 180_000);

  it('a damaged pack that doctor finds counts as missing, and a sync writes it again', async () => {
    const { chunk_count } = await shown(alpha);
    let hash = '';
    await restart(
      async (blobs) => void (hash = (await newest(blobs, alpha.id)).packs[0]?.hash ?? ''),
    );
    await damage(hash);
    expect(check(await doctor(), 'content')?.detail).toBe(
      '1 of 6 blobs are missing: Alpha; sync these sources',
    );
    await expectSoon(alpha, { status: 'error' });
    await expectHealedBySync(alpha, chunk_count);
    await expectHealthy();
  }, 180_000);

  /** Puts other bytes under the name of a blob. */
  async function damage(hash: string): Promise<void> {
    if (!ON_STACK) {
      return writeFile(join(dataFolders(service.dataDir).blobs, hash.slice(0, 2), hash), 'damaged');
    }
    const { s3 } = loadConfig(service.variables).engines;
    if (!s3) throw new Error('The service has no bucket');
    const { bucket: Bucket, endpoint, accessKeyId, secretAccessKey } = s3;
    const credentials = { accessKeyId, secretAccessKey };
    const client = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials,
    });
    try {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: `${hash.slice(0, 2)}/${hash}.` }),
      );
      expect(Contents.length).toBeGreaterThan(0);
      for (const { Key } of Contents)
        await client.send(new PutObjectCommand({ Bucket, Key, Body: 'damaged' }));
    } finally {
      client.destroy();
    }
  }
});
