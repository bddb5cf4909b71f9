import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { jobDecider, sourceDecider } from '#domain';
import { foldStream } from '#event-store';
import { newApiKeySecret } from '#platform';
import { type ApiAnswer, ApiHarness } from '#test/support/api/api-harness';
import { type FormPart, multipartBody } from '#test/support/api/multipart';
import { linesAt, writePdf } from '#test/support/pdf/pdf-writer';

import type { Caller } from '../auth/caller.js';
import type { ReceivedUpload } from './upload/receive-upload.js';
import { UploadSource, UploadSourceHandler } from './upload-source.js';

interface Uploaded {
  readonly id: string;
  readonly job_id: string;
  readonly name: string;
  readonly url: string;
}

const LIMIT = 20_000;
const guide = writePdf([linesAt(72, 100, ['Marmosets feed on gum.'])]);
const other = writePdf([linesAt(72, 100, ['Tapirs feed on leaves.'])]);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const file = (value: string | Uint8Array = guide, fileName = 'Field guide.pdf'): FormPart => ({
  name: 'file',
  value,
  fileName,
});
const field = (name: string, value: string): FormPart => ({ name, value });

describe('POST /sources/upload', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start({ environment: { MAX_UPLOAD_BYTES: String(LIMIT) } });
  });
  afterAll(() => api.stop());

  async function upload(
    parts: readonly FormPart[],
    {
      key = api.keyA,
      headers = {},
    }: { key?: string | null; headers?: Record<string, string> } = {},
  ): Promise<ApiAnswer<Uploaded>> {
    const { body, contentType } = multipartBody(parts);
    const response = await api.app.inject({
      method: 'POST',
      url: '/sources/upload',
      headers: {
        'content-type': contentType,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      payload: body,
    });
    const { statusCode: status, payload: text } = response;
    return { status, text, body: JSON.parse(text) as Uploaded, headers: response.headers };
  }
  const blobs = async () => {
    const hashes: string[] = [];
    for await (const { hash } of api.blobs.list()) hashes.push(hash);
    return hashes;
  };
  const spooled = () => {
    const folder = `${api.dataDir}/scratch/uploads`;
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it('registers the file as a source, starts its sync, and is read back', async () => {
    const { status, body } = await upload([file()]);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Field guide',
      source_type: 'pdf',
      url: 'Field guide.pdf',
      status: 'syncing',
    });
    expect(body).not.toHaveProperty('upload');
    const { job_id, ...source } = body;
    expect((await api.call('GET', `/sources/${body.id}`)).body).toEqual({
      ...source,
      updated_at: expect.any(String),
      sync_message: 'Waiting to be processed',
    });
    expect((await api.call('GET', `/jobs/${job_id}`)).body).toMatchObject({
      source_id: body.id,
      status: 'pending',
    });
    const { state } = await foldStream(api.store, sourceDecider, `source-${body.id}`);
    const stored = { blob: hashOf(guide), file_name: 'Field guide.pdf', bytes: guide.byteLength };
    expect(state).toMatchObject({
      last_job_id: job_id,
      definition: { source_type: 'pdf', upload: stored },
    });
    expect(Buffer.compare(await api.blobs.get(hashOf(guide)), guide)).toBe(0);
    expect(spooled()).toEqual([]);
  });

  it('takes a name before and after the file', async () => {
    expect((await upload([field('name', 'Apes'), file()])).body.name).toBe('Apes');
    expect((await upload([file(), field('name', 'Åpes')])).body.name).toBe('Åpes');
  });

  it('shows a source to its own tenant alone', async () => {
    const { body } = await upload([file()], { key: api.keyB });
    expect(
      (await api.call('GET', `/sources/${body.id}`, undefined, { key: api.keyB })).status,
    ).toBe(200);
    expect((await api.call('GET', `/sources/${body.id}`)).status).toBe(404);
  });

  it('may be repeated with its Idempotency-Key, with the same file and no other', async () => {
    const headers = { 'idempotency-key': 'guide-1' };
    const [first, twin] = await Promise.all([
      upload([file()], { headers }),
      upload([file()], { headers }),
    ]);
    expect([first.status, twin.status]).toEqual([201, 201]);
    expect(twin.body).toEqual(first.body);
    const events = await api.eventCount();
    expect((await upload([file()], { headers })).body).toEqual(first.body);
    expect(await api.eventCount()).toBe(events);
    for (const parts of [[file(other)], [file(guide, 'b.pdf')], [file(), field('name', 'Apes')]]) {
      const refused = await upload(parts, { headers });
      expect([refused.status, refused.body]).toMatchObject([
        409,
        { code: 'idempotency_key_reused' },
      ]);
    }
    const { state } = await foldStream(api.store, jobDecider, `job-${first.body.job_id}`);
    expect(state).toMatchObject({ status: 'pending', source_id: first.body.id, base: null });
    expect((await upload([file()])).body.id).not.toBe(first.body.id);
    await api.call('DELETE', `/sources/${first.body.id}`);
    expect((await upload([file()], { headers })).body).toEqual(first.body);
  });

  it('makes a source whose name can be changed and whose file cannot', async () => {
    const { body } = await upload([file()]);
    const path = `/sources/${body.id}`;
    expect((await api.call('PATCH', path, { name: 'Apes' })).body).toMatchObject({
      name: 'Apes',
      url: 'Field guide.pdf',
    });
    const refused = await api.call<{ details: unknown }>('PATCH', path, {
      url: 'https://example.com/b.pdf',
    });
    expect(refused.status).toBe(400);
    expect(refused.body.details).toEqual([
      {
        field: 'url',
        message:
          'cannot change: the file of this source was uploaded; upload the other as a new source',
      },
    ]);
    await api.call('PATCH', path, { exclude_patterns: ['x'] });
    const { state } = await foldStream(api.store, sourceDecider, `source-${body.id}`);
    expect(state).toMatchObject({ definition: { upload: { blob: hashOf(guide) } } });
  });

  it.each<[string, readonly FormPart[], number, string]>([
    ['what is no PDF, whatever its name', [file('<h1>Hello</h1>')], 415, 'must be a PDF'],
    ['a long one that is no PDF', [file('x'.repeat(5_000))], 415, 'must be a PDF'],
    ['an empty file', [file('')], 400, 'must not be empty'],
    ['no file', [field('name', 'Apes')], 400, 'must be a file'],
    ['a file that is a field', [field('file', 'x')], 400, 'must be a file'],
    ['an empty form', [], 400, 'must be a file'],
    ['a file under another name', [{ ...file(), name: 'pdf' }], 400, 'is not a known field'],
    ['two files', [file(), file(other)], 400, 'must be one file'],
    ['an unknown field', [file(), field('source_type', 'pdf')], 400, 'is not a known field'],
    ['a blank name', [file(), field('name', '  ')], 400, 'must not be blank'],
    ['a name of several lines', [file(), field('name', 'a\nb')], 400, 'control'],
    ['two names', [file(), field('name', 'a'), field('name', 'b')], 400, 'must be given once'],
    [
      'too many fields',
      [...Array.from({ length: 9 }, (_, at) => field(`f${at}`, 'x')), file()],
      400,
      'too many parts',
    ],
    [
      'a file over the limit',
      [file(Buffer.concat([guide, Buffer.alloc(LIMIT)]))],
      413,
      '20000 bytes (MAX_UPLOAD_BYTES)',
    ],
    [
      'a body over the limit',
      [file(Buffer.concat([guide, Buffer.alloc(200_000)]))],
      413,
      '20000 bytes (MAX_UPLOAD_BYTES)',
    ],
  ])('refuses %s, and keeps nothing of it', async (_, parts, status, words) => {
    const before = [await api.eventCount(), await blobs()];
    const refused = await upload(parts);
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(words)]);
    expect([await api.eventCount(), await blobs()]).toEqual(before);
    expect(spooled()).toEqual([]);
  });

  it('refuses every other content type, and forms that break off', async () => {
    expect((await api.call('POST', '/sources/upload', { name: 'Apes' })).status).toBe(415);
    expect((await api.call('POST', '/sources/upload')).status).toBe(415);
    const { body, contentType } = multipartBody([file()]);
    for (const [payload, type] of [
      [body.subarray(0, body.length - 40), contentType],
      [body, 'multipart/form-data'],
      [body, 'multipart/form-data; boundary=other'],
    ] as const) {
      const headers = { 'content-type': type, authorization: `Bearer ${api.keyA}` };
      const answer = await api.app.inject({
        method: 'POST',
        url: '/sources/upload',
        headers,
        payload,
      });
      expect([answer.statusCode, answer.payload]).toEqual([
        400,
        expect.stringContaining('"code":'),
      ]);
    }
  });

  it('asks for credentials with the scope to write', async () => {
    const reader = newApiKeySecret().secret;
    await api.issueKey(api.tenantA, reader, ['read']);
    expect((await upload([file()], { key: null })).status).toBe(401);
    expect((await upload([file()], { key: reader })).body).toMatchObject({ code: 'scope_missing' });
  });

  it('leaves the limits of other routes as they were', async () => {
    const headers = { 'content-type': multipartBody([]).contentType };
    expect((await api.call('POST', '/sources', 'x', { headers })).status).toBe(415);
    const large = JSON.stringify({ name: 'x'.repeat(1_100_000) });
    expect((await api.call('POST', '/sources', large)).status).toBe(413);
  });

  it('leaves nothing of an upload whose sender goes away', async () => {
    await api.app.listen(0, '127.0.0.1');
    const before = [await api.eventCount(), await blobs()];
    const { body, contentType } = multipartBody([file()]);
    const socket = connect((api.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /sources/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.keyA}\r\n` +
        `content-type: ${contentType}\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.subarray(0, body.length - 200));
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([await api.eventCount(), await blobs()]).toEqual(before);
    expect(spooled()).toEqual([]);
    expect((await upload([file()])).status).toBe(201);
  });

  it('stores nothing of an upload whose tenant was erased while it arrived', async () => {
    const late = writePdf([linesAt(72, 100, ['Capybaras feed on grass.'])]);
    const arriving = {
      size: late.byteLength,
      read: async () => {
        expect((await api.call('DELETE', '/tenant', { confirm: api.tenantA })).status).toBe(202);
        return late;
      },
    };
    const received = {
      file: arriving,
      fileName: 'late.pdf',
      hash: hashOf(late),
    } as unknown as ReceivedUpload;
    const command = new UploadSource({ tenantId: api.tenantA } as Caller, received);
    const uploading = api.app.get(UploadSourceHandler, { strict: false }).execute(command);
    await expect(uploading).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await blobs()).not.toContain(hashOf(late));
  });
});
