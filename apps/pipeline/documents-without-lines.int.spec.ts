import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { Manifest } from '#contracts';
import type { CompletedJob } from '#domain';
import { createHashEmbedder } from '#models';
import { analyzeQuery } from '#retrieval';
import { type LiveSource, openSegmentIndex, type SearchIndex } from '#search-index';
import { MemoryFetcher } from '#test/support/memory-fetcher';
import { PipelineHarness } from '#test/support/pipeline-harness';

const TENANT = '018f0000-0000-7000-8000-00000000000a';
const INSTALL =
  '# Install\n\nRun the marmoset installer.\n\n## Upgrade\n\nStop the service first, then unpack.\n';
const PAGES = { 'guide/install': INSTALL, 'guide/use': '# Use\n\nAsk the capybara.\n' };

describe('pipeline: documents without lines', () => {
  let harness: PipelineHarness;
  let fetcher: MemoryFetcher;
  let index: SearchIndex;
  let source: string;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    fetcher = new MemoryFetcher();
    fetcher.change(PAGES);
    index = await openSegmentIndex({ directory: `${harness.directory.path}/segments` });
    await harness.start({ fetchers: { docs_html: fetcher } });
    source = await harness.registerSource(TENANT, 'https://docs.example/', { source_type: 'docs' });
  });
  afterEach(async () => {
    await index.close();
    await harness.close();
  });

  async function synced(): Promise<CompletedJob> {
    const job = await harness.sync(TENANT, source);
    if (job.status !== 'completed') throw new Error(`the job ended ${JSON.stringify(job)}`);
    return job;
  }
  async function manifestOf({ published }: CompletedJob): Promise<Manifest> {
    return JSON.parse(
      Buffer.from(await harness.blobs.get(published.manifest)).toString(),
    ) as Manifest;
  }
  async function live(job: CompletedJob): Promise<LiveSource> {
    await index.applyGeneration(await manifestOf(job), (hash) => harness.blobs.get(hash));
    return { tenantId: TENANT, sourceId: source, generation: job.published.generation };
  }
  /** The candidates that have the word. */
  async function found(scope: readonly LiveSource[], question: string) {
    const { terms, identifiers } = analyzeQuery(question);
    const vectorFor = () => createHashEmbedder().embedQuery(question);
    const asked = {
      tenants: [TENANT],
      scope,
      corpus: scope,
      terms,
      vectorFor,
      identifiers,
      limit: 10,
    };
    const { candidates } = await index.candidates(asked);
    return candidates.filter(({ termFrequencies }) => (termFrequencies[0] ?? 0) > 0);
  }

  it('become chunks that are found by their words, with their headings and no lines', async () => {
    const job = await synced();
    expect(job.counters).toEqual({
      files_processed: 2,
      chunks_created: 3,
      chunks_updated: 0,
      chunks_deleted: 0,
    });
    const chunks = await harness.index.chunksOf(job.published.manifest);
    expect(chunks.map(({ path, symbol, content }) => [path, symbol, content])).toEqual([
      ['guide/install', 'Install', '# Install\n\nRun the marmoset installer.'],
      ['guide/install', 'Install > Upgrade', '## Upgrade\n\nStop the service first, then unpack.'],
      ['guide/use', 'Use', '# Use\n\nAsk the capybara.'],
    ]);
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({ chunk_type: 'docs', language: 'markdown' });
      expect(Object.keys(chunk).filter((field) => field.endsWith('_line'))).toEqual([]);
    }
    const scope = [await live(job)];
    const [first] = await found(scope, 'marmoset');
    expect(first).toMatchObject({
      path: 'guide/install',
      symbol: 'Install',
      startLine: undefined,
      endLine: undefined,
    });
    expect(await index.contents(scope[0] as LiveSource, [first?.chunkId ?? ''])).toEqual([
      chunks[0]?.content,
    ]);
    const document = await index.document(scope[0] as LiveSource, 'guide/install');
    expect(document.map(({ startLine, content }) => [startLine, content.split('\n')[0]])).toEqual([
      [undefined, '# Install'],
      [undefined, '## Upgrade'],
    ]);
  });

  it('are read again only where they have changed, by the validators of the sync before', async () => {
    const first = await synced();
    const { documents } = await manifestOf(first);
    expect(documents.map(({ path, etag }) => [path, typeof etag])).toEqual([
      ['guide/install', 'string'],
      ['guide/use', 'string'],
    ]);
    fetcher.change({ 'guide/use': '# Use\n\nAsk the tapir.\n' });
    fetcher.sent.length = fetcher.read.length = 0;
    const second = await synced();
    expect([fetcher.sent, fetcher.read]).toEqual([['guide/use'], ['guide/use']]);
    expect(second.counters).toEqual({
      files_processed: 1,
      chunks_created: 0,
      chunks_updated: 1,
      chunks_deleted: 0,
    });
    expect((await manifestOf(second)).documents[0]).toEqual(documents[0]);
    const scope = [await live(second)];
    expect((await found(scope, 'tapir')).map(({ path }) => path)).toEqual(['guide/use']);
    expect(await found(scope, 'capybara')).toEqual([]);
    expect((await found(scope, 'marmoset')).map(({ path }) => path)).toEqual(['guide/install']);
  });

  it('complete a sync that finds them unchanged, though their version shows in them alone', async () => {
    const first = await synced();
    fetcher.read.length = 0;
    const second = await synced();
    expect(second.published).toEqual(first.published);
    expect(second.counters).toEqual({
      files_processed: 0,
      chunks_created: 0,
      chunks_updated: 0,
      chunks_deleted: 0,
    });
    expect(fetcher.read).toEqual([]);
  });
});
