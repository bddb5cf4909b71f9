import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SearchResponseView, SourceList } from '#contracts/http/index';
import { linesAt, writePdf } from '#test/support/pdf/pdf-writer';
import { Person } from '#test/support/person';
import { TwoTenantService } from '#test/support/two-tenants';

const manual = writePdf([
  [
    { text: 'Keeping marmosets', x: 72, y: 120, size: 24 },
    ...linesAt(72, 160, ['They live in the canopy, and', 'sleep in a tangle of vines.']),
  ],
  linesAt(72, 160, ['Marmosets gnaw holes into bark', 'and feed on the gum that flows.']),
]);
const QUESTION = 'What do marmosets gnaw into bark for?';

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited too long for ${isSo.toString()}`);
    await delay(100);
  }
}

describe('a PDF in a conversation', () => {
  let service: TwoTenantService;
  let ada: Person;
  beforeAll(async () => {
    service = await TwoTenantService.start({
      ALLOW_REGISTRATION: 'true',
      JWT_SECRET: 'the secret of this journey is long enough to sign',
    });
    ada = await new Person(service.url).register('ada@example.com');
  }, 60_000);
  afterAll(() => service.dispose());

  /** Until no source of whatever audience has a published generation. */
  const untilUnpublished = () =>
    until(async () => {
      const { checks } = (await service.operate('doctor')) as {
        checks: { name: string; detail: string }[];
      };
      return (
        checks.find(({ name }) => name === 'index')?.detail.startsWith('0 published generations') ??
        false
      );
    });

  it('is found by its turns and by nothing else, and goes with it', async () => {
    const [id, other] = [await ada.begin(), await ada.begin()];
    const { status, body } = await ada.upload(manual, id);
    expect([status, body]).toEqual([
      201,
      {
        document_id: expect.any(String),
        file_name: 'manual.pdf',
        pages: 2,
        chunks: 2,
        conversation_id: id,
      },
    ]);
    expect(await ada.cites(QUESTION, id)).toContain('manual.pdf#page=2');
    expect(await ada.cites(QUESTION, id, { source_ids: [body.document_id] })).toContain(
      'manual.pdf#page=2',
    );
    expect(await ada.chunks()).toBe(2);
    const { document_id } = body;
    expect(await ada.documents(id)).toEqual([
      { document_id, file_name: 'manual.pdf', uploaded_at: expect.any(String), is_indexed: true },
    ]);
    expect(await ada.documents(other)).toEqual([]);
    for (const elsewhere of [other, undefined])
      expect(await ada.cites(QUESTION, elsewhere)).toEqual([]);
    const search = await ada.call<SearchResponseView>('POST', '/search', { query: QUESTION });
    expect(search.body.results ?? []).toEqual([]);
    expect((await ada.call<SourceList>('GET', '/sources')).body.total).toBe(0);
    expect((await ada.call('GET', `/sources/${body.document_id}`)).status).toBe(404);
    expect((await ada.call('DELETE', `/sources/${body.document_id}`)).status).toBe(404);

    const eve = await new Person(service.url).register('eve@example.com');
    expect((await eve.upload(manual, id)).body.code).toBe('conversation_not_found');

    expect((await ada.call('DELETE', `/conversations/${id}`)).status).toBe(204);
    expect((await ada.upload(manual, id)).body.code).toBe('conversation_not_found');
    expect(await ada.cites(QUESTION, other)).toEqual([]);
    expect(await ada.chunks()).toBe(0);
    await untilUnpublished();
  }, 120_000);

  it('goes with its person', async () => {
    const { body: invited } = await ada.call<{ token: string }>('POST', '/invitations', {
      role: 'member',
    });
    const grace = await new Person(service.url).accept('grace@example.com', invited.token);
    const id = await grace.begin();
    expect((await grace.upload(manual, id)).status).toBe(201);
    expect(await grace.cites(QUESTION, id)).toContain('manual.pdf#page=2');
    expect(await ada.chunks()).toBe(2);
    expect((await grace.call('DELETE', '/auth/me', { confirm: 'grace@example.com' })).status).toBe(
      204,
    );
    await until(async () => (await ada.chunks()) === 0);
    await untilUnpublished();
  }, 120_000);

  it('is rejected where it is invalid, unreadable or names no conversation', async () => {
    const id = await ada.begin();
    const refused = async (bytes: Uint8Array, conversation?: string) => {
      const { status, body } = await ada.upload(bytes, conversation);
      return [status, body.code];
    };
    expect(await refused(Buffer.from('plain text, not a PDF'), id)).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(await refused(manual)).toEqual([400, 'validation_failed']);
    expect(await refused(manual, 'mine')).toEqual([400, 'validation_failed']);
    expect(await refused(Buffer.from('%PDF-1.7\nbroken'), id)).toEqual([400, 'validation_failed']);
    expect(await ada.documents(id)).toEqual([]);
  }, 120_000);
});
