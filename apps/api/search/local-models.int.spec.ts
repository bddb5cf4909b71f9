import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SearchResponse } from '#contracts';
import type { ReceiptView } from '#contracts/http/index';
import { encodeModelFile, findLocalModel, localModel } from '#models';
import { type LocalModel, WORD_HASHING } from '#retrieval';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish, type PublishedDocument } from '#test/support/api/publish';
import { tempDir } from '#test/support/temp-dir';
import { TERM_MODEL_HEADER } from '#test/support/term-model';

const CLOSE: PublishedDocument = {
  path: 'docs/close.md',
  content: 'Erase the member and everything they own.',
};
const LEAVE: PublishedDocument = {
  path: 'docs/leave.md',
  content: 'Who leaves may ask to erase the member.',
};
const PAINT: PublishedDocument = {
  path: 'docs/paint.md',
  content: 'Paint the walls of the room in green.',
};
const SYNONYM = 'discard participant';

/** Along one dimension. */
const along = (dimension: number): Float32Array =>
  new Float32Array(64).fill(1, dimension, dimension + 1);

describe('content of several local models', () => {
  let folder: ReturnType<typeof tempDir>;
  let api: ApiHarness;
  let own: LocalModel;
  let hashed: string;
  let meant: string;

  beforeAll(async () => {
    folder = tempDir();
    const file = join(folder.path, 'own.bin');
    const pairs = [
      ['eras', 0],
      ['discard', 0],
      ['member', 1],
      ['participant', 1],
      ['paint', 2],
      ['wall', 2],
    ] as const;
    writeFileSync(
      file,
      encodeModelFile(
        TERM_MODEL_HEADER,
        pairs.map(([term, at]) => [term, along(at)] as const),
      ),
    );
    own = localModel(findLocalModel(file) ?? { id: 'none' });
    api = await ApiHarness.start({ environment: { EMBEDDING_LOCAL_MODEL: file } });
    const tenant = api.tenantA;
    hashed = await publish(api, [LEAVE, PAINT], { tenant, name: 'Hashed', model: WORD_HASHING });
    meant = await publish(api, [CLOSE, PAINT], { tenant, name: 'Meant', model: own });
  });
  afterAll(async () => {
    await api.stop();
    folder.remove();
  });

  const search = (query: string) =>
    api.call<SearchResponse>('POST', '/search', { query, top_k: 4 });
  const foundIn = ({ results = [] }: Partial<SearchResponse>): string[] =>
    results.map(
      ({ citation }) => `${citation.source_id === meant ? 'meant' : 'hashed'}/${citation.path}`,
    );

  it('is searched at once, each with a vector of its own, and the receipt names both', async () => {
    const answer = await search('erase a member');
    expect(foundIn(answer.body).sort()).toEqual(['hashed/docs/leave.md', 'meant/docs/close.md']);
    const receipt = await api.call<ReceiptView>(
      'GET',
      `/receipts/${String(answer.headers['x-receipt-id'])}`,
    );
    expect(receipt.body.models.toSorted()).toEqual([own.id, WORD_HASHING.id].sort());
  });

  it('is found by meaning where its model knows it, and by letters alone where it does not', async () => {
    expect(foundIn((await search(SYNONYM)).body)).toEqual(['meant/docs/close.md']);
  });

  it('answers again, from the receipt, as it did', async () => {
    const answer = await search(SYNONYM);
    const id = String(answer.headers['x-receipt-id']);
    const again = await api.call<SearchResponse>('POST', `/receipts/${id}/replay`);
    expect(again.status).toBe(200);
    expect(foundIn(again.body)).toEqual(foundIn(answer.body));
    expect(again.body.results.map(({ score }) => score)).toEqual(
      answer.body.results.map(({ score }) => score),
    );
  });

  it('that another model embedded, which is not at hand, is found by its words alone', async () => {
    const gone = { ...own, id: 'gone+00000000' };
    const source = await publish(api, [CLOSE], { tenant: api.tenantB, name: 'Gone', model: gone });
    const ask = (query: string) =>
      api.call<SearchResponse>('POST', '/search', { query }, { key: api.keyB });
    expect(
      (await ask('erase member')).body.results.map(({ citation }) => citation.source_id),
    ).toEqual([source]);
    expect(foundIn((await ask(SYNONYM)).body)).toEqual([]);
  });

  it('is embedded by the model of its next sync, and found by it', async () => {
    await publish(api, [LEAVE, PAINT], {
      tenant: api.tenantA,
      name: 'Hashed',
      sourceId: hashed,
      generation: 2,
      model: own,
    });
    expect(foundIn((await search(SYNONYM)).body).sort()).toEqual([
      'hashed/docs/leave.md',
      'meant/docs/close.md',
    ]);
  });
});
