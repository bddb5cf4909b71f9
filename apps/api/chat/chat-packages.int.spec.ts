import { Readable } from 'node:stream';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type {
  ChatResponseView,
  PackageLinkList,
  PackageLinkView,
  ReceiptView,
} from '#contracts/http/index';
import { uniqueWord } from '#test/support/api/publish';
import { readFrames } from '#test/support/api/read-stream';
import { PackagesService } from '#test/support/packages-service';

const BUDGET_SECONDS = 2;

describe('chat and packages', () => {
  let service: PackagesService;
  let serial = 0;
  beforeAll(async () => {
    service = await PackagesService.start({ CHAT_PACKAGE_SECONDS: `${BUDGET_SECONDS}` });
  });
  afterAll(() => service.stop());
  beforeEach(() => (service.packages.gate = Promise.resolve()));

  function published(word = uniqueWord()) {
    const name = `pkg-${(serial += 1)}`;
    const content = `/** Cleans up what ${word} left in ${name}. */\nexport function ${word}(): void {}\n`;
    service.packages.publish('npm', name, '1.0.0', { files: { 'src/effects.ts': content } });
    return { name, word };
  }
  const ask = (query: string, more: object = {}, tenant = 0) =>
    service.call<ChatResponseView>('POST', '/chat', { query, ...more }, { tenant });
  const mention = (package_name: string) => ({ package_name, ecosystem: 'npm' });
  async function stream(
    query: string,
    package_mentions: readonly object[],
    more: object = {},
    tenant = 0,
  ) {
    // Links of other tests are not searched.
    const body = { query, package_mentions, include_global: false, ...more };
    const { status, text } = await service.call('POST', '/chat/stream', body, { tenant });
    expect([status, text]).toEqual([200, expect.any(String)]);
    const frames = await readFrames(Readable.from([text]));
    const done = (frames.at(-1)?.data ?? {}) as unknown as ChatResponseView;
    return { done, cited: done.citations.map(({ source_name }) => source_name) };
  }

  /** Asks until every mentioned package is indexed: a busy machine takes longer than one budget. */
  async function indexed(...names: readonly string[]): Promise<void> {
    await service.until(
      async () => (await stream('what cleans up?', names.map(mention))).done.notices === undefined,
      names.join(' and '),
    );
  }

  it('look in what the tenant links unless the question declines it, and never in what another links', async () => {
    const { name, word } = published();
    const { body: link } = await service.call<PackageLinkView>('POST', '/packages/add', {
      ecosystem: 'npm',
      name,
      version: '1.0.0',
    });
    await service.until(async () => {
      const { body } = await service.call<PackageLinkList>('GET', '/packages/my-packages');
      return body.packages.some(
        ({ link_id, status }) => link_id === link.link_id && status === 'synced',
      );
    }, 'the package');
    const found = await ask(`what does ${word} clean up?`);
    expect(found.body.citations.map(({ source_name }) => source_name)).toEqual([`NPM: ${name}`]);
    const replay = await service.call('POST', `/receipts/${found.body.receipt_id}/replay`);
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect(
      (await ask(`what does ${word} clean up?`, { include_global: false })).body,
    ).toMatchObject({
      citations: [],
      model_used: 'none',
    });
    expect((await ask(`what does ${word} clean up?`, {}, 1)).body.citations).toEqual([]);
  });

  it('fetch what a question mentions, number it with the rest, and leave nothing of it in later questions', async () => {
    const word = uniqueWord();
    const [one, other] = [published(word), published(word)];
    const asked = [mention(one.name), mention(other.name), mention(one.name)];
    await indexed(one.name, other.name);
    const { done, cited } = await stream(`what does ${word} clean up?`, asked);
    expect([...new Set(cited)].sort()).toEqual([`NPM: ${one.name}`, `NPM: ${other.name}`]);
    expect(done.citations.map(({ number }) => number)).toEqual(
      done.citations.map((_, at) => at + 1),
    );
    expect(done).not.toHaveProperty('notices');
    const { body: receipt } = await service.call<ReceiptView>(
      'GET',
      `/receipts/${done.receipt_id}`,
    );
    expect(receipt.live_generations).toHaveLength(2);
    const replay = await service.call('POST', `/receipts/${done.receipt_id}/replay`);
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect(
      (await stream(`what does ${word} clean up?`, asked, { top_k: 1 })).done.citations,
    ).toHaveLength(1);
    expect((await stream(`what does ${word} clean up?`, [])).cited).toEqual([]);
    const elsewhere = { source_ids: ['0190c0de-5c1e-7d52-9f0a-3a8f6f0f9a11'] };
    expect(
      (await stream(`what does ${word} clean up?`, [mention(one.name)], elsewhere)).cited,
    ).toEqual([`NPM: ${one.name}`]);
  });

  it('report packages that could not be fetched, and wait for them no longer than the budget', async () => {
    const [there, late] = [published(), published()];
    await indexed(there.name);
    let open = (): void => undefined;
    service.packages.gate = new Promise((resolve) => (open = resolve));
    const mentions = [there.name, late.name, 'no-such-package'].map(mention);
    const { done, cited } = await stream(`what does ${there.word} clean up?`, mentions);
    // The answer came while the package was still held back.
    expect(cited).toEqual([`NPM: ${there.name}`]);
    expect(done.notices).toEqual([
      `${late.name} (npm) was not looked in: it was not indexed within ${BUDGET_SECONDS} s; ask again shortly.`,
      'no-such-package (npm) was not looked in: It is so: package_not_found.',
    ]);
    open();
    await service.until(
      async () =>
        (await stream(`what does ${late.word} clean up?`, [mention(late.name)])).cited.length > 0,
      'the late package',
    );
  });

  it.each([
    ['more than five', Array.from({ length: 6 }, (_, at) => mention(`p${at}`)), 'package_mentions'],
    [
      'one of no ecosystem that there is',
      [{ package_name: 'a', ecosystem: 'gem' }],
      'package_mentions.0.ecosystem',
    ],
    ['one without a name', [{ ecosystem: 'npm' }], 'package_mentions.0.package_name'],
    ['lists in the list', [[]], 'package_mentions'],
    ['what is no object', ['react'], 'package_mentions.0'],
  ])('refuse %s, and charge nothing', async (_, package_mentions, field) => {
    const before = (await service.events('QuotaConsumed')).length;
    const { status, body } = await service.call('POST', '/chat/stream', {
      query: 'q',
      package_mentions,
    });
    expect([status, body['details']]).toEqual([400, [expect.objectContaining({ field })]]);
    expect(await service.events('QuotaConsumed')).toHaveLength(before);
  });

  it('take mentions in a stream alone, and not together with the documents of the service', async () => {
    const body = { query: 'q', package_mentions: [mention('react')] };
    expect((await service.call('POST', '/chat', body)).status).toBe(400);
    expect(
      (await service.call('POST', '/chat/stream', { ...body, scope: 'service_docs' })).status,
    ).toBe(400);
  });
});
