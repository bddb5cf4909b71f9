import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RecordedEvent, SearchResponse } from '#contracts';
import type { CodeSearchResponseView, ReceiptView } from '#contracts/http/index';
import { dataFolders, openEngines } from '#engines';
import { loadConfig, silentLogger } from '#platform';
import type { Answer, ApiClient, SourceView } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { PROJECT_ROOT } from '#test/support/project-root';
import { readLog } from '#test/support/read-log';
import { TwoTenantService } from '#test/support/two-tenants';

const QUERIES = [
  ...[
    'how are candidates ranked',
    'file saturation',
    'boostNames',
    'token budget',
    'staleness',
    'stop words',
  ],
  ...[
    'quantize a vector',
    'find conflicts between endpoints',
    'neighbouring lines',
    'zyzzyva quux',
  ],
];

/** A name that no file has before the second commit. */
const ABSENT = 'orderByLegacyWeight';

type Body = SearchResponse & { readonly code?: string };
interface Asked {
  readonly path: string;
  readonly answer: Answer<Body>;
}

/** All but the time it took. */
function timeless(body: object): unknown {
  return { ...body, search_time_ms: 0 };
}

/** Everything of one room of this project, as a repository of its own. */
function retrievalRepository(path: string): TestRepository {
  const root = join(PROJECT_ROOT, 'libs/retrieval');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return TestRepository.create(
    path,
    Object.fromEntries(
      names.map((name) => [`libs/retrieval/${name}`, readFileSync(join(root, name), 'utf8')]),
    ),
  );
}

describe('receipts of searches on a running service', () => {
  let service: TwoTenantService;
  let repository: TestRepository;
  let source: SourceView;
  const asked: Asked[] = [];
  /** Code searches that found nothing in all documents. */
  const absences: Answer<CodeSearchResponseView>[] = [];
  /** Answers with 200 that any tenant got to a search. */
  let answered = 0;

  async function search(client: ApiClient, path: string, body: object): Promise<Answer<Body>> {
    const answer = await client.call<Body>('POST', path, body);
    if (answer.status === 200) answered += 1;
    return answer;
  }

  async function searchCode(request: object): Promise<Answer<CodeSearchResponseView>> {
    const path = '/search/code';
    const answer = await service.first.call<CodeSearchResponseView>('POST', path, request);
    if (answer.status === 200) answered += 1;
    return answer;
  }

  const idOf = ({ headers }: Answer<unknown>) => headers.get('x-receipt-id') ?? '';
  const replay = (client: ApiClient, id: string) =>
    client.call<Body>('POST', `/receipts/${id}/replay`);

  async function expectEqualReplays(): Promise<void> {
    for (const { path, answer } of asked) {
      const again = await replay(service.first, idOf(answer));
      expect([path, again.status]).toEqual([path, 200]);
      expect(timeless(again.body)).toEqual(timeless(answer.body));
      expect(again.headers.get('x-replay-matches')).toBe('true');
    }
    for (const answer of absences) {
      const again = await replay(service.first, idOf(answer));
      expect(again.status).toBe(200);
      expect(timeless(again.body)).toEqual(timeless(answer.body));
      expect(again.headers.get('x-replay-matches')).toBe('true');
    }
  }

  /** Stops the service to read its log, and starts it again. */
  async function stoppedLog(): Promise<RecordedEvent[]> {
    let events: RecordedEvent[] = [];
    await service.restart(async () => {
      const engines = await openEngines(loadConfig(service.variables), silentLogger, [
        'eventStore',
      ]);
      events = await readLog(engines.eventStore).finally(() => engines.close());
    });
    return events;
  }

  beforeAll(async () => {
    service = await TwoTenantService.start();
    repository = retrievalRepository(`${service.scratch}/retrieval`);
    source = await service.first.createRepo('Retrieval', repository.url);
    await service.first.syncToEnd(source.id);
    for (const query of QUERIES) {
      for (const path of ['/search', '/search/rmh']) {
        asked.push({ path, answer: await search(service.first, path, { query, top_k: 5 }) });
      }
    }
  }, 120_000);
  afterAll(() => service.dispose());

  it('prove that a name occurs nowhere', async () => {
    for (const request of [
      { pattern: ABSENT },
      { query: `/\\b${ABSENT}\\w*/ file:ranking` },
      { pattern: `${ABSENT.slice(0, 5)}\\w+Weight`, regex: true, case_sensitive: false },
    ]) {
      const answer = await searchCode(request);
      expect(answer.body).toMatchObject({ count: 0, complete: true, files: [] });
      const receipt = await service.first.expect<ReceiptView>('GET', `/receipts/${idOf(answer)}`);
      expect(receipt).toMatchObject({ kind: 'code', code: { lines: 0, complete: true } });
      absences.push(answer);
    }
  });

  it('come with every answer and list each result with its scores', async () => {
    let results = 0;
    for (const { path, answer } of asked) {
      const receipt = await service.first.expect<ReceiptView>('GET', `/receipts/${idOf(answer)}`);
      expect(receipt).toMatchObject({
        kind: path === '/search' ? 'search' : 'rmh',
        query_erased: false,
      });
      expect(receipt.query).toBe(answer.body.query);
      const shown = answer.body.results ?? [];
      expect(receipt.results.map(({ chunk_id }) => chunk_id)).toEqual(
        shown.map(({ citation }) => citation.chunk_id),
      );
      for (const [at, { score }] of shown.entries())
        expect(receipt.results[at]?.score).toBeCloseTo(score, 6);
      results += shown.length;
    }
    expect(results).toBeGreaterThan(50);
  }, 60_000);

  it('replay to equal answers after syncs, policy changes, a rebuild and lost disposable folders', async () => {
    await expectEqualReplays();
    const ranking = 'libs/retrieval/ranking/rank.ts';
    repository.commit({
      [ranking]: null,
      'libs/retrieval/ranking/order.ts': `export const ${ABSENT} = "how are candidates ranked";\n`,
    });
    await service.first.syncToEnd(source.id);
    expect((await searchCode({ pattern: ABSENT })).body).toMatchObject({ count: 1 });
    await service.first.expect('PUT', '/policy', {
      source_priorities: { repo: 0.4 },
      staleness_budget_seconds: 60,
    });
    await service.first.expect('PATCH', `/sources/${source.id}`, { name: 'Ranking' });
    const now = await search(service.first, '/search', { query: QUERIES[0], top_k: 5 });
    expect(timeless(now.body)).not.toEqual(timeless(asked[0]?.answer.body ?? {}));
    await expectEqualReplays();

    await service.operate('rebuild');
    await expectEqualReplays();

    const { readModels, index, queue } = dataFolders(service.dataDir);
    await service.restart(() => {
      // On servers these are not there.
      for (const folder of [readModels, index, queue])
        rmSync(folder, { recursive: true, force: true });
    });
    await expectEqualReplays();
    asked.push({ path: '/search', answer: now });
    await expectEqualReplays();
  }, 180_000);

  it('are unknown to another tenant', async () => {
    const id = idOf(asked[0]?.answer as Answer<unknown>);
    expect((await service.second.call('GET', `/receipts/${id}`)).status).toBe(404);
    expect((await replay(service.second, id)).status).toBe(404);
  });

  it('are as many as the answers of 32 clients at once, and hold no query in the clear', async () => {
    const word = 'marmosetquibble';
    await search(service.second, '/search', { query: word });
    await Promise.all(
      Array.from({ length: 32 }, async (_, client) => {
        for (let turn = 0; turn < 5; turn += 1) {
          const answer = await search(service.first, '/search', {
            query: `${word} rank ${client} ${turn}`,
          });
          expect(answer.status).toBe(200);
        }
      }),
    );
    const refused = await search(service.first, '/search', { query: word, top_k: 0 });
    expect(refused.status).toBe(400);
    const events = await stoppedLog();
    const consumed = events.filter(({ type }) => type === 'QuotaConsumed');
    expect(consumed).toHaveLength(answered);
    expect(new Set(consumed.map(({ id }) => id)).size).toBe(answered);
    const text = JSON.stringify(events.map(({ data, metadata }) => [data, metadata]));
    for (const query of [word, ...QUERIES.filter((words) => words.includes(' '))])
      expect(text).not.toContain(query);
    expect(service.service.output).not.toContain(word);
  }, 120_000);

  it('cannot be replayed once the generation is dropped, and say so', async () => {
    const first = asked[0] as Asked;
    for (let change = 0; change < 2; change += 1) {
      repository.commit({ 'libs/retrieval/change.ts': `export const change = ${change};\n` });
      await service.first.syncToEnd(source.id);
    }
    const deadline = Date.now() + 30_000;
    let again = await replay(service.first, idOf(first.answer));
    while (again.status !== 409 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      again = await replay(service.first, idOf(first.answer));
    }
    expect(again).toMatchObject({ status: 409, body: { code: 'generation_dropped' } });
    const receipt = await service.first.expect<ReceiptView>(
      'GET',
      `/receipts/${idOf(first.answer)}`,
    );
    expect(receipt.live_generations).toMatchObject([
      { source_id: source.id, generation: 1, kept: false },
    ]);
  }, 120_000);

  it("lose their query with the tenant's key, and keep the rest", async () => {
    const { answer } = asked.at(-1) as Asked;
    const tenant =
      (await stoppedLog()).find(({ type }) => type === 'QuotaConsumed')?.metadata.tenant_id ?? '';
    await service.restart(async () => {
      const engines = await openEngines(loadConfig(service.variables), silentLogger, ['keyRing']);
      await engines.keyRing.destroy(tenant).finally(() => engines.close());
    });
    const receipt = await service.first.expect<ReceiptView>('GET', `/receipts/${idOf(answer)}`);
    expect(receipt).toMatchObject({ query: null, query_erased: true, parameters: { top_k: 5 } });
    expect(receipt.results.length).toBe(answer.body.results.length);
    expect(await replay(service.first, idOf(answer))).toMatchObject({
      status: 409,
      body: { code: 'receipt_erased' },
    });
  }, 120_000);
});
