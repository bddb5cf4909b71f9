import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { tempDir } from '#test/support/temp-dir';

describe('sources', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  });
  afterAll(() => api.stop());

  const repo = { name: 'Flask', source_type: 'repo', url: 'https://example.com/flask.git' };

  it('are created pending and empty, and read back as they were answered', async () => {
    const created = await api.call<{ id: string }>('POST', '/sources', {
      ...repo,
      include_patterns: ['src/**'],
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      name: 'Flask',
      source_type: 'repo',
      status: 'pending',
      branch: 'main',
      include_patterns: ['src/**'],
      exclude_patterns: [],
      file_count: 0,
      chunk_count: 0,
      version_ref: null,
      last_job_id: null,
      last_error: null,
    });
    expect(created.body).not.toHaveProperty('docs_format');
    expect(created.body).not.toHaveProperty('last_sync_completed');
    const read = await api.call('GET', `/sources/${created.body.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(created.body);
  });

  it('are read right after they were written', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await api.createSource(`Source ${round}`);
      const listed = await api.call<{ sources: { id: string }[] }>('GET', '/sources?limit=1');
      expect(listed.body.sources[0]?.id).toBe(id);
    }
  });

  it('answer an unknown, a malformed and a foreign id alike', async () => {
    const foreign = await api.createSource('Theirs', api.keyB);
    for (const id of [
      unknownId(),
      foreign,
      'nonsense',
      foreign.toUpperCase(),
      '%00',
      `${foreign}x`,
    ]) {
      const answers = await Promise.all([
        api.call('GET', `/sources/${id}`),
        api.call('PATCH', `/sources/${id}`, { name: 'Mine' }),
        api.call('DELETE', `/sources/${id}`),
        api.call('POST', `/sources/${id}/sync`),
        api.call('GET', `/sources/${id}/content?path=a`),
      ]);
      for (const { status, body } of answers) {
        expect([status, body['code']]).toEqual([404, 'source_not_found']);
        expect(Object.keys(body).sort()).toEqual(['code', 'error', 'request_id']);
      }
    }
    expect(
      (await api.call('GET', `/sources/${foreign}`, undefined, { key: api.keyB })).body,
    ).toMatchObject({
      name: 'Theirs',
    });
  });

  it('are changed field by field, with defaults of a new format', async () => {
    const docs = {
      name: 'Docs',
      source_type: 'docs',
      url: 'https://example.com/docs',
      use_sitemap: true,
    };
    const { body } = await api.call<{ id: string }>('POST', '/sources', docs);
    const renamed = await api.call('PATCH', `/sources/${body.id}`, { name: 'Handbook' });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Handbook', use_sitemap: true } });
    const changed = await api.call('PATCH', `/sources/${body.id}`, {
      docs_format: 'openapi',
      doc_version_label: 'v2',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { docs_format: 'openapi', doc_version_label: 'v2' },
    });
    expect(changed.body).not.toHaveProperty('use_sitemap');
    expect((await api.call('GET', `/sources/${body.id}`)).body).toEqual(changed.body);
  });

  it.each([
    [{ ...repo, docs_format: 'html' }, 'docs_format'],
    [{ ...repo, use_sitemap: false }, 'use_sitemap'],
    [{ ...repo, branch: 'a..b' }, 'branch'],
    [{ ...repo, branch: null }, 'branch'],
    [{ ...repo, url: 'ftp://example.com/x' }, 'url'],
    [{ ...repo, url: 'https://me:secret@example.com/x' }, 'url'],
    [{ name: 'D', source_type: 'docs', url: 'https://example.com', branch: 'main' }, 'branch'],
    [
      {
        name: 'D',
        source_type: 'docs',
        url: 'https://example.com',
        docs_format: 'openapi',
        use_sitemap: true,
      },
      'use_sitemap',
    ],
    [{ name: 'D', source_type: 'pdf', url: 'file:///etc/passwd' }, 'url'],
  ])('refuse what does not fit: %j', async (body, field) => {
    const answer = await api.call<{ details: { field: string }[] }>('POST', '/sources', body);
    expect([answer.status, answer.body.details.map((detail) => detail.field)]).toEqual([
      400,
      [field],
    ]);
  });

  it('are gone for every reader once deleted', async () => {
    const id = await api.createSource();
    expect((await api.call('DELETE', `/sources/${id}`)).status).toBe(204);
    expect((await api.call('GET', `/sources/${id}`)).status).toBe(404);
    expect((await api.call('DELETE', `/sources/${id}`)).status).toBe(404);
  });
});

describe('sources in folders of the machine', () => {
  let folder: ReturnType<typeof tempDir>;
  let api: ApiHarness;
  beforeAll(async () => {
    folder = tempDir();
    for (const name of ['srv/app', 'srv/data/git/theirs', 'other'])
      mkdirSync(join(folder.path, name), { recursive: true });
    symlinkSync(join(folder.path, 'other'), join(folder.path, 'srv/link'));
    api = await ApiHarness.start({
      environment: {
        ALLOW_FILE_URLS: join(folder.path, 'srv'),
        DATA_DIR: join(folder.path, 'srv/data'),
      },
    });
  });
  afterAll(async () => {
    await api.stop();
    folder.remove();
  });

  const url = (name: string) => pathToFileURL(join(folder.path, name)).href;
  const register = (of: string) =>
    api.call<{ id: string; details: unknown }>('POST', '/sources', {
      name: 'App',
      source_type: 'repo',
      url: of,
    });

  it.each([
    ['other', 'is refused: The folder is not below one that ALLOW_FILE_URLS names'],
    ['srv/link', 'is refused: The folder is not below one that ALLOW_FILE_URLS names'],
    [
      'srv/data/git/theirs',
      'is refused: The folder lies in DATA_DIR, where this server keeps the content of all tenants',
    ],
  ])('are refused in %s, new or changed', async (name, message) => {
    const refused = {
      status: 400,
      body: { code: 'validation_failed', details: [{ field: 'url', message }] },
    };
    expect(await register(url(name))).toMatchObject(refused);
    const { body } = await register(url('srv/app'));
    expect(await api.call('PATCH', `/sources/${body.id}`, { url: url(name) })).toMatchObject(
      refused,
    );
    expect((await api.call('GET', `/sources/${body.id}`)).body).toMatchObject({
      url: url('srv/app'),
    });
  });

  it('are refused altogether unless they are allowed, with the name of the variable', async () => {
    const closed = await ApiHarness.start({ environment: { ALLOW_FILE_URLS: 'false' } });
    const answer = await closed.call('POST', '/sources', {
      name: 'App',
      source_type: 'repo',
      url: url('srv/app'),
    });
    await closed.stop();
    const message =
      'is refused: file:// URLs are not allowed on this server; ALLOW_FILE_URLS allows them';
    expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'url', message }] } });
  });
});
