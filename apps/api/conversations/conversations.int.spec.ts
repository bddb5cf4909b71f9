import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { StreamName } from '#contracts';
import type {
  ChatResponseView,
  ConversationDetailView,
  ConversationList,
  ConversationView,
  ReceiptView,
} from '#contracts/http/index';
import type { EventStore } from '#event-store';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { Browser } from '#test/support/api/browser';
import { multipartBody } from '#test/support/api/multipart';
import { publish } from '#test/support/api/publish';
import { scriptedAnswer } from '#test/support/openai-chat-route';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import { readLog } from '#test/support/read-log';

const QUESTION = 'Which entry does the marmalade cache evict?';
const ANSWER = 'The cache evicts the oldest [1].';
const CACHE = {
  path: 'src/cache.ts',
  content:
    '/** Evicts the oldest entry of the cache. */\nexport function evict() {\n  return entries.shift();\n}',
  symbol: 'evict',
};

describe('conversations', () => {
  let api: ApiHarness;
  let endpoint: OpenAiEndpoint;
  /** Two people of one tenant, and one of another. */
  let ada: Browser;
  let ben: Browser;
  let tenant: string;
  let eve: Browser;
  /** Called for each event that the API has appended, before its caller gets the result. */
  let onAppended: (type: string, stream: StreamName) => Promise<void> | void = () => undefined;

  beforeAll(async () => {
    endpoint = await OpenAiEndpoint.start();
    const environment = {
      CHAT_MODEL: 'scripted',
      CHAT_BASE_URL: endpoint.url,
      CHAT_TIMEOUT_SECONDS: '2',
      CHAT_MAX_TOKENS: '40',
    };
    // The one source that the plan allows is there.
    const QUOTA_PLANS = JSON.stringify({ standard: { sources: { total: 1 } } });
    api = await ApiHarness.start({
      environment: { ...environment, QUOTA_PLANS },
      between: (log) =>
        Object.create(log, {
          append: {
            value: async (...given: Parameters<EventStore['append']>) => {
              const appended = await log.append(...given);
              const [stream, events] = given;
              for (const { type } of events) await onAppended(type, stream);
              return appended;
            },
          },
        }) as EventStore,
    });
    [ada, ben, eve] = [new Browser(api), new Browser(api), new Browser(api)];
    const me = await ada.register('ada@example.com');
    await eve.register('eve@example.com');
    const invited = await ada.call<{ token: string }>('POST', '/invitations', { role: 'auditor' });
    await ben.begin('/auth/accept', {
      token: invited.body.token,
      email: 'ben@example.com',
      password: 'a horse that is correct',
    });
    tenant = me.body.tenant_id;
    await publish(api, [CACHE], { tenant, name: 'Cache' });
  });
  afterAll(async () => {
    await api.stop();
    await endpoint.close();
  });
  afterEach(() => {
    endpoint.always = undefined;
    endpoint.next.length = 0;
    endpoint.script = scriptedAnswer;
    onAppended = () => undefined;
  });

  const begin = async (browser = ada, body = {}) =>
    (await browser.call<ConversationView>('POST', '/conversations', body)).body.id;
  const ask = (conversation_id: string, query = QUESTION, more = {}, browser = ada) =>
    browser.call<ChatResponseView>('POST', '/chat', { query, conversation_id, ...more });
  const get = (id: string, browser = ada) =>
    browser.call<ConversationDetailView>('GET', `/conversations/${id}`);
  /** The last question to the model, without its instructions. */
  const asked = () =>
    endpoint.chats
      .at(-1)
      ?.body.messages.slice(1)
      .map(({ content }) => content) ?? [];

  it('keep what was asked and answered, under the first question as their title', async () => {
    const made = await ada.call<ConversationView>('POST', '/conversations', {});
    expect([made.status, made.body.title]).toEqual([201, null]);
    const { id } = made.body;
    const first = await ask(id);
    expect([first.status, first.body]).toMatchObject([
      200,
      { answer: ANSWER, conversation_id: id },
    ]);
    const { body } = await get(id);
    expect(body).toMatchObject({ id, title: QUESTION });
    expect(body.messages).toEqual([
      { role: 'user', content: QUESTION, created_at: expect.any(String) },
      {
        role: 'assistant',
        content: ANSWER,
        created_at: expect.any(String),
        citations: first.body.citations,
        receipt_id: first.body.receipt_id,
      },
    ]);
    const renamed = await ada.call('PATCH', `/conversations/${id}`, { title: 'Eviction' });
    expect([renamed.status, renamed.body]).toMatchObject([200, { id, title: 'Eviction' }]);
  });

  it('are listed to their person alone, newest first', async () => {
    const ids = [
      await begin(ben, { title: 'one' }),
      await begin(ben, { title: 'two' }),
      await begin(ben),
    ];
    const list = async (query = '', browser = ben) =>
      (await browser.call<ConversationList>('GET', `/conversations${query}`)).body;
    expect(await list()).toMatchObject({
      total: 3,
      conversations: [{ title: null }, { title: 'two' }, { title: 'one' }],
    });
    const page = await list('?skip=1&limit=1');
    expect([page.total, page.conversations.map(({ id }) => id)]).toEqual([3, [ids[1]]]);
    expect((await list('', eve)).total).toBe(0);
  });

  it('do not exist for other people, of whatever tenant, and take no API key', async () => {
    const id = await begin();
    await ask(id);
    const before = await api.eventCount();
    const calls = [
      ['GET', `/conversations/${id}`, undefined],
      ['PATCH', `/conversations/${id}`, { title: 'mine' }],
      ['DELETE', `/conversations/${id}`, undefined],
      ['POST', '/chat', { query: QUESTION, conversation_id: id }],
      ['POST', '/chat/stream', { query: QUESTION, conversation_id: id }],
    ] as const;
    for (const [method, url, body] of calls) {
      const unknown = JSON.parse(
        JSON.stringify([url, body ?? null]).replaceAll(id, unknownId()),
      ) as [string, object | null];
      for (const browser of [ben, eve]) {
        const [other, none] = [
          await browser.call(method, url, body),
          await browser.call(method, unknown[0], unknown[1] ?? undefined),
        ];
        expect([url, other.status, other.body['code']]).toEqual([
          url,
          404,
          'conversation_not_found',
        ]);
        expect([none.status, none.body['code']]).toEqual([404, 'conversation_not_found']);
      }
      const withKey = await api.call(method, url, body);
      expect([url, withKey.status, withKey.body['code']]).toEqual([url, 401, 'sign_in_required']);
    }
    expect(await api.eventCount()).toBe(before);
  });

  it('show the receipt of a turn to their person alone', async () => {
    const { receipt_id } = (await ask(await begin())).body;
    const own = await ada.call('GET', `/receipts/${receipt_id}`);
    expect(own.body).toMatchObject({ query: QUESTION, answer: { text: ANSWER } });
    expect((await ben.call('GET', `/receipts/${receipt_id}`)).status).toBe(404);
    expect((await ben.call('POST', `/receipts/${receipt_id}/replay`)).status).toBe(404);
  });

  it('give the model the turns before, and the search a question that stands alone', async () => {
    const id = await begin();
    await ask(id);
    const { body } = await ask(id, 'And when is that?');
    expect(asked()).toEqual([
      QUESTION,
      'The cache evicts the oldest.',
      expect.stringMatching(/^\[1\] Cache, [^]*And when is that\?$/),
    ]);
    const receipt = await ada.call('GET', `/receipts/${body.receipt_id}`);
    expect(receipt.body).toMatchObject({
      query: 'Which entry does the cache evict first?',
      question: 'And when is that?',
    });
    expect((await get(id)).body.messages.map(({ content }) => content)).toEqual([
      QUESTION,
      ANSWER,
      'And when is that?',
      ANSWER,
    ]);
  });

  it('use the rule where the model rewrites nothing, and leave out turns over the budget', async () => {
    const id = await begin();
    await ask(id);
    endpoint.next.push({ kind: 'status', status: 400 });
    const ruled = await ask(id, 'And when is that?');
    const receipt = await ada.call('GET', `/receipts/${ruled.body.receipt_id}`);
    expect(receipt.body).toMatchObject({ query: 'And when is that? entry marmalade cache evict' });
    await ask(id, 'Which entry is it?', { max_context_tokens: 100 });
    // A quarter of a hundred tokens has room for one turn.
    expect(asked().slice(0, -1)).toEqual(['And when is that?', 'The cache evicts the oldest.']);
  });

  it.each([
    ['begins to answer', ['Entries of the cache', '\n```\n', 'evict()', '\n```']],
    ['goes on and on', ['x'.repeat(400), ' y'.repeat(100)]],
    ['is cut off', Array<string>(50).fill('so ')],
  ])('use the rule where what the model says %s, and is no question', async (_, words) => {
    const id = await begin();
    await ask(id);
    endpoint.script = (body) =>
      body.messages[0]?.content.includes('stands alone') === true ? words : scriptedAnswer(body);
    const { receipt_id } = (await ask(id, 'And when is that?')).body;
    const receipt = await ada.call('GET', `/receipts/${receipt_id}`);
    expect(receipt.body).toMatchObject({ query: 'And when is that? entry marmalade cache evict' });
  });

  it('count what putting a question into other words took, with the answer and without one', async () => {
    const id = await begin();
    const tokensOf = async (receiptId: string) => {
      const { answer } = (await ada.call<ReceiptView>('GET', `/receipts/${receiptId}`)).body;
      return [answer?.model, answer?.prompt_tokens, answer?.completion_tokens];
    };
    expect(await tokensOf((await ask(id)).body.receipt_id)).toEqual(['scripted', 7, 6]);
    // Five words of a question and six of an answer.
    expect(await tokensOf((await ask(id, 'And when is that?')).body.receipt_id)).toEqual([
      'scripted',
      14,
      11,
    ]);
    endpoint.script = () => ['zebra', ' quagga', ' okapi'];
    expect(await tokensOf((await ask(id, 'And when is that?')).body.receipt_id)).toEqual([
      null,
      7,
      3,
    ]);
  });

  it('may turn to something new in a few words, which are searched for as they are where that finds enough', async () => {
    const content =
      '# Pruning the orchard\n\nThe orchard is pruned in February, before the sap rises.';
    await publish(api, [{ path: 'orchard.md', content, chunkType: 'docs' }], {
      tenant,
      name: 'Orchard',
    });
    const id = await begin();
    await ask(id);
    const searchedFor = async (question: string) => {
      endpoint.next.push({ kind: 'status', status: 400 });
      const { body } = await ask(id, question);
      const receipt = await ada.call<{ query: string }>('GET', `/receipts/${body.receipt_id}`);
      return [receipt.body.query, body.citations[0]?.path];
    };
    expect(await searchedFor('How is the orchard pruned?')).toEqual([
      'How is the orchard pruned?',
      'orchard.md',
    ]);
    expect((await searchedFor('What is the default size?'))[0]).toBe(
      'What is the default size? orchard pruned',
    );
  });

  it('take no turn where the model fails', async () => {
    const id = await begin();
    endpoint.always = { kind: 'break' };
    expect((await ask(id)).status).toBe(503);
    endpoint.always = undefined;
    expect((await get(id)).body.messages).toEqual([]);
    expect((await ask(id)).status).toBe(200);
  });

  it('keep nothing of a question that names none', async () => {
    const before = (await ada.call<ConversationList>('GET', '/conversations')).body.total;
    const { body } = await ada.call<ChatResponseView>('POST', '/chat', { query: QUESTION });
    expect(body).not.toHaveProperty('conversation_id');
    expect((await ada.call<ConversationList>('GET', '/conversations')).body.total).toBe(before);
  });

  it('take turns that come at once one after the other, each with the one before', async () => {
    const id = await begin();
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((word) => ask(id, `${word}: ${QUESTION}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await get(id)).body.messages).toHaveLength(6);
    expect(asked()).toHaveLength(5);
  });

  it('stream their answers, and name the conversation at the end', async () => {
    const id = await begin();
    const { text } = await ada.call('POST', '/chat/stream', {
      query: QUESTION,
      conversation_id: id,
    });
    expect(text).toContain(`"conversation_id":"${id}"`);
    expect(text).toMatch(/event: done/);
    expect((await get(id)).body.messages).toHaveLength(2);
  });

  it('are gone when they are deleted, and so is every word, from the log as well', async () => {
    const id = await begin(ada, { title: 'marmalade' });
    const { receipt_id } = (await ask(id)).body;
    await ask(id, 'And the marmalade of it?');
    const sealed = JSON.stringify(
      (await readLog(api.store)).map(({ data, metadata }) => [data, metadata]),
    );
    expect(sealed).toContain(id);
    expect(sealed).not.toMatch(/marmalade|oldest/i);

    expect((await ada.call('DELETE', `/conversations/${id}`)).status).toBe(204);
    expect([(await get(id)).status, (await ask(id)).status]).toEqual([404, 404]);
    expect((await ada.call('DELETE', `/conversations/${id}`)).status).toBe(404);
    const receipt = await ada.call('GET', `/receipts/${receipt_id}`);
    expect(receipt.body).toMatchObject({ query: null, query_erased: true, answer: { text: null } });
    expect((await ada.call<ConversationList>('GET', '/conversations')).text).not.toContain(id);
    // With everything that is left nobody opens the conversation's key.
    expect(await api.keyRing.standing(`conversation-${id}`)).toBe('destroyed');
  });

  describe('take a PDF', () => {
    const upload = (id: string) => {
      const { contentType, body } = multipartBody([
        { name: 'conversation_id', value: id },
        { name: 'file', value: '%PDF-1.7 of the conversation', fileName: 'a.pdf' },
      ]);
      return ada.call('POST', '/chat/upload-pdf', body.toString(), { 'content-type': contentType });
    };
    const removed = async (stream: StreamName | undefined) =>
      (await readLog(api.store)).filter((event) => event.stream === stream).at(-1)?.type ===
      'SourceRemoved';

    it('beyond the sources of the plan, and end its wait when they are deleted', async () => {
      const accepted = Promise.withResolvers<void>();
      let source: StreamName | undefined;
      onAppended = (type, stream) => {
        if (type === 'SourceRegistered') source = stream;
        if (type === 'JobRequested') accepted.resolve();
      };
      const id = await begin();
      const answer = upload(id);
      await Promise.race([
        accepted.promise,
        answer.then(({ text }) => Promise.reject(new Error(text))),
      ]);
      expect((await ada.call('DELETE', `/conversations/${id}`)).status).toBe(204);
      expect(await answer).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } });
      expect(await removed(source)).toBe(true);
      const refused = await ada.call('POST', '/sources', {
        name: 'B',
        source_type: 'repo',
        url: 'https://a.com/b.git',
      });
      expect([refused.status, refused.body['code']]).toEqual([429, 'quota_exceeded']);
    });

    it('and say that they are gone where they are deleted before its sync is asked for', async () => {
      const id = await begin();
      let deleted: unknown;
      onAppended = async (type, stream) => {
        if (type !== 'SourceRegistered') return;
        deleted = [
          (await ada.call('DELETE', `/conversations/${id}`)).status,
          await removed(stream),
        ];
      };
      expect(await upload(id)).toMatchObject({
        status: 404,
        body: { code: 'conversation_not_found' },
      });
      expect(deleted).toEqual([204, true]);
    });
  });
});
