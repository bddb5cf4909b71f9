import { writeFileSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { Manifest, SourceChunk, SourceDefinition } from '#contracts';
import type { CompletedJob } from '#domain';
import { PipelineHarness } from '#test/support/pipeline-harness';
import { WebSite } from '#test/support/web-site';

const TENANT = '018f0000-0000-7000-8000-00000000000a';
const OPENAPI: Partial<SourceDefinition> = { source_type: 'docs', docs_format: 'openapi' };

function operation(summary: string, parameter = 'string') {
  return {
    summary,
    parameters: [{ name: 'id', in: 'query', schema: { type: parameter } }],
    responses: { 200: { description: 'Fine' } },
  };
}

function spec(paths: Readonly<Record<string, object>>, version: string | undefined = '1.0') {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version }, paths });
}

describe('pipeline: OpenAPI specifications', () => {
  let harness: PipelineHarness;
  let site: WebSite;
  let source: string;
  const paths = {
    '/cats': { get: operation('Lists cats') },
    '/dogs': { get: operation('Lists dogs'), post: operation('Adds a dog') },
  };
  beforeAll(async () => {
    harness = await PipelineHarness.open();
    await harness.start();
  });
  beforeEach(async () => {
    site = await WebSite.start({ '/api.json': spec(paths) });
    source = await harness.registerSource(TENANT, site.url('/api.json'), OPENAPI);
  });
  afterEach(() => site.stop());
  afterAll(() => harness.close());

  async function synced(of = source): Promise<CompletedJob> {
    const job = await harness.sync(TENANT, of);
    if (job.status !== 'completed') throw new Error(`the job ended ${JSON.stringify(job)}`);
    return job;
  }
  async function failure(of: string) {
    const job = await harness.sync(TENANT, of);
    if (job.status !== 'failed') throw new Error(`the job ended ${JSON.stringify(job)}`);
    return job;
  }
  const chunksOf = async (job: CompletedJob): Promise<readonly SourceChunk[]> =>
    harness.index.chunksOf(job.published.manifest);

  it('become a chunk an operation with its endpoint, and one of the specification as a whole', async () => {
    const job = await synced();
    expect(job.published.version_ref).toBe('1.0');
    expect(job.counters).toEqual({
      files_processed: 4,
      chunks_created: 4,
      chunks_updated: 0,
      chunks_deleted: 0,
    });
    const chunks = await chunksOf(job);
    expect(
      chunks.map(({ path, symbol, endpoint_key: key }) => [
        path.slice(site.origin.length),
        symbol,
        key,
      ]),
    ).toEqual([
      ['/api.json', 'Pets', undefined],
      ['/api.json#/paths/~1cats/get', 'GET /cats', 'GET /cats'],
      ['/api.json#/paths/~1dogs/get', 'GET /dogs', 'GET /dogs'],
      ['/api.json#/paths/~1dogs/post', 'POST /dogs', 'POST /dogs'],
    ]);
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({ language: 'openapi', chunk_type: 'openapi' });
      expect(Object.keys(chunk).filter((field) => field.endsWith('_line'))).toEqual([]);
    }
    expect(chunks[1]?.schema_hash).toBe(chunks[2]?.schema_hash);
  });

  it('are asked for with their validators and complete a sync that finds them unchanged', async () => {
    const first = await synced();
    site.seen.length = 0;
    const second = await synced();
    expect(site.seen.map(({ status }) => status)).toEqual([304]);
    expect(second.published).toEqual(first.published);
    expect(second.counters).toEqual({
      files_processed: 0,
      chunks_created: 0,
      chunks_updated: 0,
      chunks_deleted: 0,
    });
  });

  it('are unchanged by their bytes where the server knows no validators', async () => {
    site.put({ '/api.json': (_, response) => void response.end(spec(paths)) });
    const first = await synced();
    const second = await synced();
    expect(site.takeSeen(200)).toHaveLength(2);
    expect([second.published, second.counters.files_processed]).toEqual([first.published, 0]);
  });

  it('change by the operations that did, however many stand before them', async () => {
    const before = await chunksOf(await synced());
    const changed = {
      '/ants': { get: operation('Lists ants') },
      ...paths,
      '/cats': { get: operation('Lists all cats') },
    };
    site.put({ '/api.json': spec(changed) });
    const job = await synced();
    expect(job.counters).toMatchObject({ chunks_created: 1, chunks_updated: 1, chunks_deleted: 0 });
    const ids = new Set(before.map(({ chunk_id: id }) => id));
    const fresh = (await chunksOf(job)).filter(({ chunk_id: id }) => !ids.has(id));
    expect(fresh.map(({ symbol }) => symbol).sort()).toEqual(['GET /ants', 'GET /cats']);
    site.put({ '/api.json': spec({ '/cats': paths['/cats'] }) });
    expect((await synced()).counters).toMatchObject({
      chunks_created: 0,
      chunks_updated: 1,
      chunks_deleted: 3,
    });
  });

  it('are read whole where what was kept of them turns out to be damaged', async () => {
    const { published } = await synced();
    const manifest = JSON.parse(
      Buffer.from(await harness.blobs.get(published.manifest)).toString(),
    ) as Manifest;
    const pack = manifest.packs[0]?.hash ?? '';
    writeFileSync(`${harness.directory.path}/blobs/${pack.slice(0, 2)}/${pack}`, 'damaged');
    site.put({ '/api.json': spec({ ...paths, '/cats': { get: operation('Lists all cats') } }) });
    site.takeSeen(200);
    const job = await synced();
    expect(site.takeSeen(200)).toHaveLength(2);
    expect(job.counters).toMatchObject({
      files_processed: 4,
      chunks_created: 4,
      chunks_updated: 0,
    });
    expect((await chunksOf(job)).map(({ symbol }) => symbol)).toEqual([
      'Pets',
      'GET /cats',
      'GET /dogs',
      'POST /dogs',
    ]);
  });

  it('are cited by the version that they are at, or the label that the source has for it', async () => {
    site.put({ '/api.json': spec(paths, '2.0') });
    expect((await synced()).published.version_ref).toBe('2.0');
    const labeled = await harness.registerSource(TENANT, site.url('/api.json'), {
      ...OPENAPI,
      doc_version_label: 'stable',
    });
    expect((await synced(labeled)).published.version_ref).toBe('stable');
    expect((await synced(labeled)).published.version_ref).toBe('stable');
    const versionless = await harness.registerSource(TENANT, site.url('/other.json'), OPENAPI);
    site.put({ '/other.json': JSON.stringify({ openapi: '3.1.0', info: {}, paths }) });
    expect((await synced(versionless)).published.version_ref).toMatch(/^[0-9a-f]{12}$/);
  });

  it('are those of the paths that the source asks for', async () => {
    const some = await harness.registerSource(TENANT, site.url('/api.json'), {
      ...OPENAPI,
      include_patterns: ['/dogs'],
    });
    expect((await chunksOf(await synced(some))).map(({ symbol }) => symbol)).toEqual([
      'Pets',
      'GET /dogs',
      'POST /dogs',
    ]);
  });

  it('fail their job for good with a sentence that says what is wrong with them', async () => {
    site.put({
      '/docs': '<!doctype html><h1>API</h1>',
      '/remote.json': spec({ '/a': { get: { responses: { 200: { $ref: 'common.yaml#/Ok' } } } } }),
      '/broken.yaml': 'openapi: 3.0.0\npaths: {a: [\n',
      '/deep.json': `{"openapi":"3.0.0","paths":{"/a":{"get":{"requestBody":{"content":{"a/b":{"schema":${'{"not":'.repeat(60_000)}1${'}'.repeat(60_000)}}}}}}}}`,
    });
    for (const [path, message] of [
      ['/docs', 'is a page of HTML or XML; give the URL of the JSON or YAML file itself'],
      [
        '/remote.json',
        'refers to another document, "common.yaml#/Ok": only references within the specification (#/…) are followed; bundle it into one file',
      ],
      ['/broken.yaml', expect.stringMatching(/^is not valid YAML: .+ \(line \d+, column \d+\)$/)],
      ['/deep.json', 'is nested too deeply'],
      ['/nowhere.json', 'does not exist'],
    ] as const) {
      const url = site.url(path);
      const failed = await failure(await harness.registerSource(TENANT, url, OPENAPI));
      expect(failed).toMatchObject({ error_details: { url } });
      expect(failed.error_message.slice(url.length + 1)).toEqual(message);
    }
  });
});
