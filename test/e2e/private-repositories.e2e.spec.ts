import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { ApiClient } from '#test/support/api-client';
import { GitHttpServer } from '#test/support/git-http-server';
import { TestRepository } from '#test/support/git-repository';
import { TwoTenantService } from '#test/support/two-tenants';

const FIRST = 'glpat-firstTenantSecret0001';
const SECOND = 'glpat-secondTenantSecret002';
const MISTYPED = 'glpat-mistypedSecret000003';

const basic = (username: string, token: string) =>
  Buffer.from(`${username}:${token}`).toString('base64');

describe('private repositories', () => {
  let service: TwoTenantService;
  let server: GitHttpServer;
  let repository: TestRepository;
  let url: string;
  /** The `Authorization` of each request, as it came. */
  const sent: (string | undefined)[] = [];
  const accepted = new Set([
    `Basic ${basic('deploy', FIRST)}`,
    `Basic ${basic('x-access-token', SECOND)}`,
  ]);

  beforeAll(async () => {
    service = await TwoTenantService.start({
      ALLOW_PRIVATE_NETWORKS: 'true',
      GIT_HOST_KINDS: '127.0.0.1=gitea',
      LOG_LEVEL: 'trace',
    });
    repository = TestRepository.create(`${service.scratch}/acme/site`, {
      'src/vault door.ts':
        'export function openVaultDoor(code: string): boolean {\n  return code.length > 8;\n}\n',
    });
    server = new GitHttpServer(service.scratch, (request, response, path) => {
      if (path.startsWith('/moved/')) {
        response
          .writeHead(302, { location: `${elsewhere}${request.url?.replace('/moved', '')}` })
          .end();
        return true;
      }
      sent.push(request.headers.authorization);
      if (accepted.has(request.headers.authorization ?? '')) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return true;
    });
    other = new GitHttpServer(service.scratch, (request) => {
      sentElsewhere.push(request.headers.authorization);
      return false;
    });
    url = `${await server.listen()}/acme/site/.git`;
    elsewhere = await other.listen();
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await other.close();
    await service.dispose();
  });

  let other: GitHttpServer;
  let elsewhere: string;
  const sentElsewhere: (string | undefined)[] = [];

  const syncOf = async (client: ApiClient, id: string) => client.finished(await client.sync(id));

  it('are refused without credentials, read with the right ones, and not with wrong or removed ones', async () => {
    const client = service.first;
    const source = await client.createRepo('Private', url);
    expect(source).toMatchObject({ has_credentials: false });

    const without = await syncOf(client, source.id);
    expect(without).toMatchObject({
      status: 'failed',
      retry_count: 0,
      error_details: { url, status_code: 401 },
    });
    expect(without.error_message).toBe(
      `${url} does not exist or needs credentials; add them to the source if it is private`,
    );

    const credentials = { username: 'deploy', token: FIRST };
    expect(await client.expect('PATCH', `/sources/${source.id}`, { credentials })).toMatchObject({
      has_credentials: true,
    });
    expect(await syncOf(client, source.id)).toMatchObject({ status: 'completed' });
    const found = await client.search('openVaultDoor', { source_ids: [source.id] });
    const commit = repository.git('rev-parse', 'HEAD').trim();
    const web = url.replace('/.git', '');
    expect(found.results?.[0]?.citation).toMatchObject({
      version_ref: commit,
      url: `${web}/src/commit/${commit}/src/vault%20door.ts#L1-L3`,
    });

    await client.expect('PATCH', `/sources/${source.id}`, {
      credentials: { username: 'deploy', token: MISTYPED },
    });
    const refused = await syncOf(client, source.id);
    expect(refused).toMatchObject({
      status: 'failed',
      retry_count: 0,
      error_details: { status_code: 401 },
    });
    expect(refused.error_message).toContain('refuses the credentials that were sent');

    sent.length = 0;
    const removed = await client.expect('PATCH', `/sources/${source.id}`, { credentials: null });
    expect(removed).toMatchObject({ has_credentials: false });
    expect((await syncOf(client, source.id)).error_message).toContain('needs credentials');
    expect(sent).toEqual([undefined]);
  }, 120_000);

  it("are read with each tenant's own, and with no other's", async () => {
    const ours = await service.first.createRepo('Ours', url, {
      credentials: { username: 'deploy', token: FIRST },
    });
    const theirs = await service.second.createRepo('Theirs', url);
    expect(await syncOf(service.first, ours.id)).toMatchObject({ status: 'completed' });
    sent.length = 0;
    expect((await syncOf(service.second, theirs.id)).error_message).toContain('needs credentials');
    expect(sent).toEqual([undefined]);
    const patch = { credentials: { token: SECOND } };
    await service.second.expect('PATCH', `/sources/${theirs.id}`, patch);
    expect(await syncOf(service.second, theirs.id)).toMatchObject({ status: 'completed' });
    expect(new Set(sent.slice(1))).toEqual(new Set([`Basic ${basic('x-access-token', SECOND)}`]));
    const foreign = await service.second.call('PATCH', `/sources/${ours.id}`, patch);
    const unknown = await service.second.call(
      'PATCH',
      '/sources/01890000-0000-7000-8000-00000000000a',
      patch,
    );
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
  }, 120_000);

  it('that moved to another host are asked for there without them', async () => {
    const moved = url.replace('/acme/', '/moved/acme/');
    const client = service.first;
    const source = await client.createRepo('Moved', moved, {
      credentials: { username: 'deploy', token: FIRST },
    });
    await syncOf(client, source.id);
    expect(sentElsewhere.length).toBeGreaterThan(0);
    expect(new Set(sentElsewhere)).toEqual(new Set([undefined]));
  }, 60_000);

  it('say what they refer to and do not hold', async () => {
    const repository = TestRepository.create(`${service.scratch}/acme/refers`, {
      'src/a.ts': 'export const a = 1;\n',
      'data/model.csv': `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`,
    });
    repository.git('tag', '--annotate', 'v1', '--message', 'First');
    const tagged = repository.git('rev-parse', 'HEAD').trim();
    repository.git('update-index', '--add', '--cacheinfo', `160000,${tagged},lib/other`);
    repository.git('commit', '--quiet', '--message', 'Refer to another');
    const credentials = { username: 'deploy', token: FIRST };
    const refers = url.replace('/site/', '/refers/');
    const source = await service.first.createRepo('Refers', refers, { credentials });
    const { stage_details } = await syncOf(service.first, source.id);
    expect(stage_details).toMatchObject({
      files_skipped: 2,
      files_skipped_submodule: 1,
      files_skipped_lfs: 1,
    });
    await service.first.expect('PATCH', `/sources/${source.id}`, { branch: 'v1' });
    expect(await syncOf(service.first, source.id)).toMatchObject({ status: 'completed' });
    const shown = await service.first.expect('GET', `/sources/${source.id}`);
    expect(shown).toMatchObject({ branch: 'v1', version_ref: tagged });
  }, 60_000);

  it('leave their credentials nowhere in the clear: no answer, no file of the service, no line of its log', async () => {
    const client = service.first;
    const answers = [await client.call('GET', '/sources'), await client.call('GET', '/jobs')];
    // What the process still held is on disk once it has ended.
    const running = service.service;
    await service.stop();
    const held = [...filesBelow(service.dataDir)].map(
      (path) => [path, readFileSync(path).toString('latin1')] as const,
    );
    const texts = [
      ...held,
      ['the log', running.output],
      ['answers', JSON.stringify(answers)],
    ] as const;
    for (const secret of [FIRST, SECOND, MISTYPED]) {
      const forms = [
        secret,
        Buffer.from(secret).toString('base64').slice(0, 30),
        basic('deploy', secret),
        basic('x-access-token', secret),
      ];
      const holders = texts.flatMap(([name, text]) =>
        forms.some((form) => text.includes(form)) ? [name] : [],
      );
      expect(holders).toEqual([]);
    }
    // What is not secret is found, so the search sees what there is: in the log, the read models,
    // and the lines.
    const holders = texts.flatMap(([name, text]) =>
      text.includes('/acme/site/.git') ? [name] : [],
    );
    if (!service.stack)
      expect(holders.filter((name) => name.includes('/log/')).length).toBeGreaterThan(0);
    expect(holders).toContain('answers');
    expect(running.output.length).toBeGreaterThan(1_000);
    await service.startAgain();
  }, 120_000);
});

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) yield join(entry.parentPath, entry.name);
  }
}
