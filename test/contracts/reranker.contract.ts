import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { EmbeddingInput, Reranker } from '#models';
import type { RerankEndpoint, RerankEntry, RerankFault } from '#test/support/rerank-endpoint';

export interface OpenedReranker {
  readonly reranker: Reranker;
  readonly endpoint: RerankEndpoint;
  dispose(): Promise<void>;
}

/** Options of a reranker under test. */
export interface RerankerOptions {
  /** Seconds. Default 30. */
  readonly timeoutSeconds?: number;
}

const QUERY = 'which entry does the cache evict?';

function passage(content: string): EmbeddingInput {
  return { path: 'src/cache.ts', symbol: 'evict', defs: ['evict'], content };
}

/** Passages whose relevance is in the order 2, 0, 3, 1. */
const PASSAGES = ['relevant relevant', '', 'relevant relevant relevant', 'relevant'].map(passage);

const entries = (
  name: string,
  of: (entries: readonly RerankEntry[]) => readonly RerankEntry[],
): [string, RerankFault] => [name, { kind: 'entries', of }];
const last = (change: Partial<RerankEntry>) => (all: readonly RerankEntry[]) =>
  all.map((entry, at) => (at === all.length - 1 ? { ...entry, ...change } : entry));

/** Answers that order nothing. */
const INVALID: readonly [string, RerankFault][] = [
  entries('without one of the scores', (all) => all.slice(1)),
  entries('with one score too many', (all) => [...all, { index: 0, score: 1 }]),
  entries('that names a passage twice', last({ index: 2 })),
  entries('with an index that is too large', last({ index: 4 })),
  entries('with a negative index', last({ index: -1 })),
  entries('with an index that is not whole', last({ index: 0.5 })),
  entries('with an index that is text', last({ index: '1' })),
  entries('with a score that is null, as NaN is in JSON', last({ score: null })),
  entries('with a score that is text', last({ score: '0.5' })),
  ['that is no JSON', { kind: 'garbage' }],
  ['of another form', { kind: 'other' }],
  ['without an end', { kind: 'endless' }],
];

/** The contract of every reranker. */
export function rerankerContract(
  name: string,
  open: (options?: RerankerOptions) => Promise<OpenedReranker>,
): void {
  describe(`reranker contract: ${name}`, () => {
    let opened: OpenedReranker;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.dispose());

    const rank = (passages = PASSAGES, signal?: AbortSignal) =>
      opened.reranker.rank(QUERY, passages, signal);
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => 'no error',
        (error: unknown) => error,
      );
    async function reopen(options: RerankerOptions): Promise<void> {
      await opened.dispose();
      opened = await open(options);
    }

    it('orders all passages by relevance, with their paths and symbols', async () => {
      expect(await rank()).toEqual([2, 0, 3, 1]);
      const [request] = opened.endpoint.requests;
      expect(request?.query).toBe(QUERY);
      expect(request?.texts[0]).toBe('src/cache.ts\nevict\n\nrelevant relevant');
    });

    it('keeps the order of passages of equal relevance', async () => {
      opened.endpoint.relevance = () => -3.5;
      expect(await rank()).toEqual([0, 1, 2, 3]);
    });

    it('orders as many passages as a search sends, each once', async () => {
      opened.endpoint.relevance = (text) => Number(/\d+$/.exec(text)?.[0]);
      const many = Array.from({ length: 50 }, (_, at) => passage(`text ${at}`));
      expect(await rank(many)).toEqual(many.map((_, at) => 49 - at));
      const sent = opened.endpoint.requests.flatMap(({ texts }) => texts);
      expect(new Set(sent).size).toBe(50);
      expect(sent).toHaveLength(50);
    });

    it('cuts a long passage and never a character', async () => {
      await rank([passage('😀'.repeat(10_000)), passage('short')]);
      const [text = ''] = opened.endpoint.requests[0]?.texts ?? [];
      expect(text.length).toBeLessThanOrEqual(4_000);
      expect(text.isWellFormed()).toBe(true);
    });

    it.each([0, 1])('sends nothing for %i passages', async (count) => {
      expect(await rank(PASSAGES.slice(0, count))).toEqual(count === 0 ? [] : [0]);
      expect(opened.endpoint.requests).toEqual([]);
    });

    it.each(INVALID)('rejects an answer %s', async (_, fault) => {
      opened.endpoint.always = fault;
      expect(await failure(rank())).toMatchObject({ kind: 'bad_answer' });
    });

    it('uses a valid answer after an invalid one', async () => {
      opened.endpoint.next.push({ kind: 'garbage' });
      expect(await rank()).toEqual([2, 0, 3, 1]);
    });

    it.each([
      [{ kind: 'status', status: 401 }, 'refused'],
      [{ kind: 'status', status: 404 }, 'refused'],
      [{ kind: 'status', status: 413 }, 'too_large'],
      [{ kind: 'status', status: 500 }, 'transient'],
      [{ kind: 'reset' }, 'transient'],
    ] as const)('reports %j as %s, without the texts', async (fault, kind) => {
      opened.endpoint.always = fault;
      const error = await failure(rank());
      expect(error).toMatchObject({ code: 'engine_unavailable', kind });
      const { cause, message } = error as Error;
      expect(`${message} ${String(cause)}`).not.toContain('relevant');
    });

    it('follows no redirect', async () => {
      const other = await open();
      opened.endpoint.always = { kind: 'redirect', to: `${other.endpoint.url}/rerank` };
      expect(await failure(rank())).toMatchObject({ kind: 'transient' });
      expect(other.endpoint.requests).toEqual([]);
      await other.dispose();
    });

    it('ends a request at its deadline', async () => {
      await reopen({ timeoutSeconds: 1 });
      opened.endpoint.always = { kind: 'hang' };
      expect(await failure(rank())).toMatchObject({ kind: 'too_slow' });
      while (opened.endpoint.waiting > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    });

    it('ends with the reason of the signal', async () => {
      const reason = new Error('the client left');
      const client = new AbortController();
      opened.endpoint.always = { kind: 'hang' };
      const failed = failure(rank(PASSAGES, client.signal));
      while (opened.endpoint.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      client.abort(reason);
      expect(await failed).toBe(reason);
      expect(await failure(rank(PASSAGES, client.signal))).toBe(reason);
    });

    it('sends nothing for a while after repeated failures', async () => {
      opened.endpoint.always = { kind: 'status', status: 503 };
      for (let failures = 0; failures < 5; failures += 1) await failure(rank());
      const sent = opened.endpoint.requests.length;
      expect(await failure(rank())).toMatchObject({ kind: 'transient' });
      expect(opened.endpoint.requests).toHaveLength(sent);
    });
  });
}
