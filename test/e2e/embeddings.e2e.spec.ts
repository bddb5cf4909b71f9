import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SearchView, SourceView } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import { TwoTenantService } from '#test/support/two-tenants';

/** Word hashing first, which finds nothing by meaning. */
const BASE = { JOB_MAX_RETRIES: '0', EMBEDDING_LOCAL_MODEL: 'hash-ngram-v1' };
const LENIENT = { min_evidence_score: 0.05 };

/**
 * Each step goes on from the one before it: a service that changes its model while it has content.
 */
describe('a model behind an OpenAI-compatible endpoint', () => {
  let service: TwoTenantService;
  let endpoint: OpenAiEndpoint;
  let tracer: OpenAiEndpoint;
  let repositories: TestRepository[];
  let accounts: SourceView;
  let cars: SourceView;
  let foreign: SourceView;
  let environment: Record<string, string>;

  beforeAll(async () => {
    endpoint = await OpenAiEndpoint.start({ baseline: 0.3 });
    tracer = await OpenAiEndpoint.start();
    environment = {
      ...BASE,
      EMBEDDING_MODEL: 'test-model',
      EMBEDDING_DIMENSIONS: '64',
      EMBEDDING_BASE_URL: endpoint.url,
      EMBEDDING_API_KEY: 'sk-endpoint',
      EMBEDDING_SIMILARITY_RANGE: '0.3-0.7',
      // What the client library reads by itself; none of it may be used.
      LANGSMITH_TRACING: 'true',
      LANGCHAIN_TRACING_V2: 'true',
      LANGSMITH_API_KEY: 'ls',
      OPENAI_API_KEY: 'sk-other',
      LANGSMITH_ENDPOINT: new URL(tracer.url).origin,
    };
    service = await TwoTenantService.start(BASE);
    const repository = (name: string, files: Record<string, string>) =>
      TestRepository.create(`${service.scratch}/${name}`, files);
    repositories = [
      repository('accounts', {
        'src/close.md': 'Erase the member and everything they own.\n',
        'src/paint.md': 'Paint the walls of the room in green.\n',
      }),
      repository('cars', { 'src/engine.md': 'Start the engine of an automobile by its key.\n' }),
      repository('foreign', { 'src/close.md': 'Erase the member of the other tenant.\n' }),
    ];
    const [first, second, third] = repositories as [TestRepository, TestRepository, TestRepository];
    accounts = await service.first.createRepo('Accounts', first.url);
    cars = await service.first.createRepo('Cars', second.url);
    foreign = await service.second.createRepo('Foreign', third.url);
    await service.first.syncToEnd(accounts.id);
    await service.first.syncToEnd(cars.id);
    await service.second.syncToEnd(foreign.id);
    for (const tenant of [service.first, service.second])
      await tenant.expect('PUT', '/policy', LENIENT);
  }, 120_000);
  afterAll(async () => {
    await service.dispose();
    await endpoint.close();
    await tracer.close();
  });

  const found = ({ results = [] }: SearchView): string[] =>
    results.map(
      ({ citation }) => `${citation.source_id === cars.id ? 'cars' : 'accounts'}/${citation.path}`,
    );
  const repository = (at: number): TestRepository => repositories[at] as TestRepository;

  it('is not there at first: words find, synonyms do not', async () => {
    expect(found(await service.first.search('member'))).toEqual(['accounts/src/close.md']);
    expect(found(await service.first.search('delete a user'))).toEqual([]);
  });

  it('is not asked before any content is embedded with it, and search goes on', async () => {
    await service.restart(() => undefined, environment);
    expect(found(await service.first.search('member'))).toEqual(['accounts/src/close.md']);
    expect(endpoint.requests).toHaveLength(0);
  });

  it('embeds unchanged content at the next sync, and finds by meaning', async () => {
    const before = await service.first.expect<SourceView>('GET', `/sources/${accounts.id}`);
    await service.first.syncToEnd(accounts.id);
    const after = await service.first.expect<SourceView>('GET', `/sources/${accounts.id}`);
    expect([after.version_ref, after.chunk_count]).toEqual([
      before.version_ref,
      before.chunk_count,
    ]);
    expect(endpoint.embedded.toSorted()).toEqual([
      expect.stringMatching(/^src\/close\.md\n[^]*Erase the member/),
      expect.stringMatching(/^src\/paint\.md\n[^]*Paint the walls/),
    ]);
    expect(found(await service.first.search('delete a user'))).toEqual(['accounts/src/close.md']);
    const requests = endpoint.requests.length;
    expect(found(await service.first.search('delete a user'))).toEqual(['accounts/src/close.md']);
    expect(endpoint.requests).toHaveLength(requests);
    expect(new Set(endpoint.requests.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer sk-endpoint']),
    );
  });

  it('searches sources of both models at once, each with vectors of its own', async () => {
    const both = await service.first.search('erase a user or turn the key of an automobile', {
      top_k: 5,
    });
    expect(found(both).toSorted()).toEqual(['accounts/src/close.md', 'cars/src/engine.md']);
    // The source that is not embedded with it yet is found by words that look alike, and by no
    // others.
    expect(found(await service.first.search('launch a vehicle'))).toEqual([]);
    await service.first.syncToEnd(cars.id);
    expect(found(await service.first.search('launch a vehicle'))).toEqual(['cars/src/engine.md']);
  });

  it('shows a tenant nothing of another, however near it is', async () => {
    await service.second.syncToEnd(foreign.id);
    const theirs = await service.second.search('delete a user');
    expect(theirs.results?.map(({ citation }) => citation.source_id)).toEqual([foreign.id]);
    const own = await service.first.search('delete a user');
    expect(own.results?.map(({ citation }) => citation.source_id)).toEqual([accounts.id]);
  });

  it('fails the sync on invalid vectors, and keeps the old generation', async () => {
    repository(0).commit({ 'src/new.md': 'Zanzibar is an island.\n' });
    endpoint.when = (input) =>
      input.some((text) => text.includes('island')) ? { kind: 'nan' } : undefined;
    const job = await service.first.finished(await service.first.sync(accounts.id));
    expect([job.status, job.error_message]).toEqual([
      'failed',
      'The embedding model returned a vector that is zero or not finite',
    ]);
    expect(found(await service.first.search('Zanzibar'))).toEqual([]);
    expect(found(await service.first.search('discard the account'))).toEqual([
      'accounts/src/close.md',
    ]);
    endpoint.when = () => undefined;
    await service.first.syncToEnd(accounts.id);
    expect(found(await service.first.search('Zanzibar'))).toEqual(['accounts/src/new.md']);
  });

  it('makes a search answer 503 with Retry-After when it is away, never half an answer', async () => {
    endpoint.always = { kind: 'reset' };
    const { status, body, headers } = await service.first.call<{ code: string }>(
      'POST',
      '/search',
      {
        query: 'a question nobody asked before',
      },
    );
    expect([status, body.code]).toEqual([503, 'engine_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    endpoint.always = undefined;
    expect(found(await service.first.search('removed accounts'))).toContain(
      'accounts/src/close.md',
    );
  });

  it('leaves its content to be found by words when it is no longer configured, until the next sync', async () => {
    const asked = endpoint.requests.length;
    await service.restart(() => undefined, BASE);
    expect(found(await service.first.search('delete a user'))).toEqual([]);
    const [hit] = (await service.first.search('member')).results ?? [];
    expect(hit?.citation.path).toBe('src/close.md');
    expect(hit?.score).toBeGreaterThan(0.1);
    await service.first.syncToEnd(accounts.id);
    expect(found(await service.first.search('members'))[0]).toBe('accounts/src/close.md');
    expect(endpoint.requests).toHaveLength(asked);
  });

  it('asked nobody but the endpoint, whatever the environment said', () => {
    expect(tracer.connections).toBe(0);
  });
});
