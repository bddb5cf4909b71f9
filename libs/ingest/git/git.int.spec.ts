import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { isStageFailure, StageFailure } from '#contracts';
import { GitHttpServer } from '#test/support/git-http-server';
import { SourceRepository } from '#test/support/source-repository';

import { type GitSnapshot, type GitSnapshotOptions, openGitSnapshot } from './open-git-snapshot.js';
import { resolveGitHead } from './resolve-git-head.js';

const ANYWHERE = { below: ['/'], except: '/nonexistent' };
const scratch: string[] = [];
const repositories: SourceRepository[] = [];

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'footnote-cache-'));
  scratch.push(made);
  return made;
}

function repository(branch?: string): SourceRepository {
  const made = new SourceRepository(branch);
  repositories.push(made);
  return made;
}

afterAll(() => {
  for (const path of scratch) rmSync(path, { recursive: true, force: true });
  for (const made of repositories) made.remove();
});

function options(url: string, more: Partial<GitSnapshotOptions> = {}): GitSnapshotOptions {
  return {
    url,
    directory: more.directory ?? join(folder(), 'repo.git'),
    limits: { maxFileBytes: 1_000_000, maxSourceBytes: 50_000_000, maxSourceFiles: 10_000 },
    allowPrivateNetworks: true,
    fileUrls: ANYWHERE,
    timeoutMs: 20_000,
    ...more,
  };
}

async function contents(snapshot: GitSnapshot): Promise<Record<string, string>> {
  const readable = snapshot.entries.filter((entry) => entry.tooLarge !== true);
  const found: Record<string, string> = {};
  let index = 0;
  for await (const { oid, bytes } of snapshot.read(readable.map((entry) => entry.oid))) {
    const entry = readable[index];
    expect(entry?.oid).toBe(oid);
    found[entry?.path ?? ''] = Buffer.from(bytes).toString('latin1');
    index += 1;
  }
  expect(index).toBe(readable.length);
  await snapshot.close();
  return found;
}

async function failureOf(attempt: Promise<unknown>): Promise<StageFailure> {
  const error: unknown = await attempt.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  );
  if (!isStageFailure(error)) throw error;
  return error;
}

describe('a snapshot of a local repository', () => {
  it('has the regular files of the commit, byte for byte, and counts what it leaves out', async () => {
    const source = repository();
    source.commit({ 'gone.txt': 'gone' });
    source.write('plain.txt', 'one\r\ntwo');
    source.write('with space/ünïcode "x"\t.txt', '\uFEFFx\n');
    source.write('empty', '');
    source.write('binary.bin', Uint8Array.of(0, 255, 10, 13, 0));
    source.link('link', 'plain.txt');
    rmSync(join(source.folder, 'gone.txt'));
    source.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    const commit = source.commit();

    const snapshot = await openGitSnapshot(options(source.url));
    expect(snapshot).toMatchObject({ commit, defaultBranch: 'main', symlinks: 1 });
    expect(snapshot.entries.map(({ path, size }) => [path, size])).toEqual([
      ['binary.bin', 5],
      ['empty', 0],
      ['plain.txt', 8],
      ['with space/ünïcode "x"\t.txt', 5],
    ]);
    expect(await contents(snapshot)).toEqual({
      'binary.bin': '\u0000\u00ff\n\r\u0000',
      empty: '',
      'plain.txt': 'one\r\ntwo',
      'with space/ünïcode "x"\t.txt': '\u00ef\u00bb\u00bfx\n',
    });
  });

  it('counts submodules', async () => {
    const source = repository();
    source.commit({ 'a.txt': 'a' });
    source.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    source.git('commit', '--quiet', '--message', 'module');
    const snapshot = await openGitSnapshot(options(source.url));
    expect([snapshot.entries.length, snapshot.submodules]).toEqual([1, 1]);
  });

  it('updates in place, and does not fetch again when nothing changed', async () => {
    const source = repository();
    const first = source.commit({ 'a.txt': 'one', 'b.txt': 'b' });
    const kept = options(source.url);
    expect((await openGitSnapshot(kept)).commit).toBe(first);
    const packs = () =>
      readdirSync(join(kept.directory, 'objects')).map((name) => [
        name,
        statSync(join(kept.directory, 'objects', name)).mtimeMs,
      ]);
    const before = packs();
    expect((await openGitSnapshot(kept)).commit).toBe(first);
    expect(packs()).toEqual(before);

    const second = source.commit({ 'a.txt': 'two' });
    const head = await resolveGitHead(kept);
    expect(head).toMatchObject({ commit: second, defaultBranch: 'main' });
    const snapshot = await openGitSnapshot({ ...kept, head });
    expect(snapshot.commit).toBe(second);
    expect(await contents(snapshot)).toEqual({ 'a.txt': 'two', 'b.txt': 'b' });
  });

  it('follows a branch that was rewritten', async () => {
    const source = repository();
    source.commit({ 'a.txt': 'one' });
    const kept = options(source.url);
    await openGitSnapshot(kept);
    source.git('commit', '--quiet', '--amend', '--message', 'other');
    expect((await openGitSnapshot(kept)).commit).toBe(source.git('rev-parse', 'HEAD'));
  });

  it('fetches again when the cached folder was changed', async () => {
    const source = repository();
    const commit = source.commit({ 'a.txt': 'one' });
    const kept = options(source.url);
    await openGitSnapshot(kept);
    for (const name of ['objects', 'config']) {
      rmSync(join(kept.directory, name), { recursive: true });
      writeFileSync(join(kept.directory, name), 'rubbish');
      const snapshot = await openGitSnapshot(kept);
      expect(snapshot.commit).toBe(commit);
      expect(await contents(snapshot)).toEqual({ 'a.txt': 'one' });
    }
  });

  it('reads another branch, and names the default one when there is no such branch', async () => {
    const source = repository('trunk');
    source.commit({ 'a.txt': 'trunk' });
    source.git('checkout', '--quiet', '-b', 'feature/x');
    const commit = source.commit({ 'a.txt': 'feature' });
    source.git('checkout', '--quiet', 'trunk');
    expect((await openGitSnapshot(options(source.url, { branch: 'feature/x' }))).commit).toBe(
      commit,
    );

    const failure = await failureOf(openGitSnapshot(options(source.url, { branch: 'main' })));
    expect(failure).toMatchObject({
      retryable: false,
      details: { url: source.url, default_branch: 'trunk' },
    });
    expect(failure.message).toBe(
      `${source.url} has no branch or tag "main"; its default branch is "trunk"`,
    );
  });

  it('lists branches when the remote has no default one', async () => {
    const source = repository();
    source.commit({ 'a.txt': 'a' });
    source.git('symbolic-ref', 'HEAD', 'refs/heads/unborn');
    const failure = await failureOf(openGitSnapshot(options(source.url)));
    expect(failure).toMatchObject({ retryable: false });
    expect(failure.message).toContain('choose one of main');
  });

  it('of an empty repository has no commit and no files', async () => {
    const snapshot = await openGitSnapshot(options(repository().url));
    expect(snapshot.commit).toBeNull();
    expect(await contents(snapshot)).toEqual({});
    expect((await resolveGitHead(options(repository().url, { branch: 'any' }))).commit).toBeNull();
  });

  it('marks files over the limit, and refuses a source over its limit', async () => {
    const source = repository();
    source.commit({ 'small.txt': 'x', 'large.txt': 'x'.repeat(2_000) });
    const snapshot = await openGitSnapshot(
      options(source.url, {
        limits: { maxFileBytes: 1_999, maxSourceBytes: 10_000, maxSourceFiles: 2 },
      }),
    );
    expect(snapshot.entries.map(({ path, tooLarge }) => [path, tooLarge])).toEqual([
      ['large.txt', true],
      ['small.txt', undefined],
    ]);
    expect(await contents(snapshot)).toEqual({ 'small.txt': 'x' });
    const failure = await failureOf(
      openGitSnapshot(
        options(source.url, {
          limits: { maxFileBytes: 5_000, maxSourceBytes: 2_000, maxSourceFiles: 2 },
        }),
      ),
    );
    expect(failure).toMatchObject({ retryable: false });
    expect(failure.message).toContain('MAX_SOURCE_BYTES');
  });

  it('streams blobs at the reader’s pace and survives one that stops early', async () => {
    const source = repository();
    source.commit(
      Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`${index}.txt`, `${index}`.repeat(100_000)]),
      ),
    );
    const snapshot = await openGitSnapshot(options(source.url));
    for await (const { bytes } of snapshot.read(snapshot.entries.map((entry) => entry.oid))) {
      expect(bytes.length).toBeGreaterThan(0);
      break;
    }
    expect(Object.keys(await contents(snapshot))).toHaveLength(50);
  });

  it('fails readably where there is no repository', async () => {
    const empty = folder();
    const failure = await failureOf(openGitSnapshot(options(`file://${empty}`)));
    expect(failure).toMatchObject({ retryable: false, details: { url: `file://${empty}` } });
    expect(failure.message).toBe(`file://${empty} is not a git repository`);
    expect(await failureOf(openGitSnapshot(options('file:///nonexistent/x')))).toMatchObject({
      retryable: false,
    });
  });

  it('reports a blob that is not there', async () => {
    const source = repository();
    source.commit({ 'a.txt': 'a' });
    const snapshot = await openGitSnapshot(options(source.url));
    const reading = async () => {
      for await (const blob of snapshot.read(['0'.repeat(40)])) expect(blob).toBeUndefined();
    };
    expect(await failureOf(reading())).toMatchObject({ retryable: true });
  });

  it('stops at once when it is aborted', async () => {
    const source = repository();
    source.commit({ 'a.txt': 'a' });
    await expect(
      openGitSnapshot(options(source.url, { signal: AbortSignal.abort(new Error('cancelled')) })),
    ).rejects.toThrow('cancelled');
    const snapshot = await openGitSnapshot(options(source.url));
    await snapshot.close();
    const contents = snapshot.read(snapshot.entries.map((entry) => entry.oid));
    const reading = contents[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toThrow('closed');
  });
});

describe('a URL', () => {
  it.each([
    ['file:///etc', { fileUrls: { below: [], except: '/data' } }, 'ALLOW_FILE_URLS allows them'],
    ['/srv/repo', {}, 'not a URL'],
    ['ext::sh -c id', {}, 'white space'],
    ['ext::sh', {}, 'not ext'],
    ['git://example.org/a', {}, 'not git'],
    ['https://user:secret@example.org/a', {}, 'credentials'],
    ['https://token@example.org/a', {}, 'credentials'],
    ['ssh://-oProxyCommand=x/a', {}, ''],
    ['https://example.org/a?b=c', {}, 'no query'],
    ['http://127.0.0.1/a', { allowPrivateNetworks: false }, 'private or reserved network'],
    ['http://localhost/a', { allowPrivateNetworks: false }, 'private or reserved network'],
    ['ssh://git@127.0.0.1/a', { allowPrivateNetworks: false }, 'private or reserved network'],
    ['git@127.0.0.1:a/b.git', { allowPrivateNetworks: false }, 'private or reserved network'],
    ['http://169.254.169.254/a', {}, 'private or reserved network'],
  ])('%s is refused for good', async (url, more, part) => {
    const failure = await failureOf(resolveGitHead(options(url, more)));
    expect(failure.retryable).toBe(false);
    expect(failure.message).toContain(part);
    expect(JSON.stringify([failure.message, failure.details])).not.toMatch(/secret|token@/);
  });

  it.each(['-x', 'a..b', 'a b', 'a*', 'refs/heads/a/', '@{u}', 'a.lock', ''])(
    'with the branch %j is refused',
    async (branch) => {
      const source = repository();
      expect(await failureOf(resolveGitHead(options(source.url, { branch })))).toMatchObject({
        retryable: false,
      });
    },
  );
});

describe('a repository over http', () => {
  let source: SourceRepository;
  let server: GitHttpServer;
  let base: string;
  let name: string;
  const held: (() => void)[] = [];
  let posts = 0;

  beforeAll(async () => {
    source = repository();
    source.commit({ 'a.txt': 'one', 'large.txt': 'x'.repeat(5_000) });
    name = source.folder.slice(source.folder.lastIndexOf('/') + 1);
    server = new GitHttpServer(tmpdir(), (request, response, path) => {
      const redirect = (target: string): true => {
        response.writeHead(302, { location: target }).end();
        return true;
      };
      const answer = (status: number, headers: Record<string, string> = {}): true => {
        response.writeHead(status, headers).end('<html></html>');
        return true;
      };
      const pass = (target: string): true => {
        server.pass(request, response, target);
        return true;
      };
      const rest = path.replace(/^\/[^/]+/, '');
      const query = new URL(request.url ?? '', 'http://x').search;
      if (path.startsWith('/moved/')) return redirect(`/${name}${rest}${query}`);
      if (path.startsWith('/loop/')) return redirect(`/loop${rest}${query}`);
      if (path.startsWith('/astray/')) return redirect('/html/');
      if (path.startsWith('/inner/')) return redirect(`http://169.254.169.254/${rest}${query}`);
      if (path.startsWith('/html/')) return answer(200, { 'content-type': 'text/html' });
      if (path.startsWith('/gone/')) return answer(404);
      if (path.startsWith('/down/')) return answer(503);
      if (path.startsWith('/busy/')) return answer(429, { 'retry-after': '7' });
      if (path.startsWith('/slow/')) {
        held.push(() => response.end());
        return true;
      }
      if (path.startsWith('/drip/')) {
        // The first two request the references, the third the pack.
        if (request.method !== 'POST' || (posts += 1) < 3) return pass(`/${name}${rest}`);
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
        response.write('000dpackfile\nfff0\u0001PACK');
        const timer = setInterval(() => response.write('x'), 100);
        response.once('close', () => clearInterval(timer));
        held.push(() => response.end());
        return true;
      }
      if (path.startsWith('/sneaky/')) {
        if (request.method === 'POST') return redirect(`/${name}${rest}`);
        return pass(`/${name}${rest}`);
      }
      if (path.startsWith('/private/')) {
        const wanted = `Basic ${Buffer.from('x-access-token:s3cret').toString('base64')}`;
        if (request.headers.authorization !== wanted)
          return answer(401, { 'www-authenticate': 'Basic realm="git"' });
        return pass(`/${name}${rest}`);
      }
      return false;
    });
    base = await server.listen();
  });
  afterEach(() => {
    for (const release of held.splice(0)) release();
  });
  afterAll(() => server.close());

  it('is retryable after it stays below the minimum speed for too long', async () => {
    const slowTransfer = { bytesPerSecond: 1_000, seconds: 1 };
    expect(
      await failureOf(openGitSnapshot(options(`${base}/drip/.git`, { slowTransfer }))),
    ).toMatchObject({
      retryable: true,
      message: `${base}/drip/.git sent less than 1000 bytes a second for 1 s (FETCH_MIN_BYTES_PER_SECOND)`,
    });
  });

  it('is read without the files that are too large, and kept up to date', async () => {
    const kept = options(`${base}/${name}/.git`, {
      limits: { maxFileBytes: 1_000, maxSourceBytes: 1_000_000, maxSourceFiles: 10 },
    });
    const snapshot = await openGitSnapshot(kept);
    expect(snapshot.entries.map(({ path, size, tooLarge }) => [path, size, tooLarge])).toEqual([
      ['a.txt', 3, undefined],
      ['large.txt', null, true],
    ]);
    expect(await contents(snapshot)).toEqual({ 'a.txt': 'one' });
    const commit = source.commit({ 'b.txt': 'two' });
    const again = await openGitSnapshot(kept);
    expect(again.commit).toBe(commit);
    expect(await contents(again)).toEqual({ 'a.txt': 'one', 'b.txt': 'two' });
    const wider = await openGitSnapshot({
      ...kept,
      limits: { maxFileBytes: 10_000, maxSourceBytes: 1_000_000, maxSourceFiles: 10 },
    });
    expect(Object.keys(await contents(wider))).toEqual(['a.txt', 'b.txt', 'large.txt']);
  });

  it('is read from the end of redirects', async () => {
    const snapshot = await openGitSnapshot(options(`${base}/moved/.git`));
    expect(snapshot.commit).toBe(source.git('rev-parse', 'HEAD'));
  });

  it.each([
    ['gone', 404, false, 'does not exist'],
    ['private', 401, false, 'credentials'],
    ['html', 200, false, 'is not a git repository'],
    ['down', 503, true, 'answered 503'],
    ['busy', 429, true, 'answered 429 and asks to come back in 7 s'],
  ])('at /%s fails with status %i', async (path, status_code, retryable, part) => {
    const url = `${base}/${path}/repo.git`;
    const failure = await failureOf(openGitSnapshot(options(url)));
    expect(failure).toMatchObject({ retryable, details: { url, status_code } });
    expect(failure.message).toContain(part);
  });

  it.each([
    ['loop', 'Too many redirects'],
    ['inner', 'private or reserved network'],
    ['astray', 'not a git repository'],
  ])('is not followed into /%s', async (path, part) => {
    const failure = await failureOf(openGitSnapshot(options(`${base}/${path}/repo.git`)));
    expect(failure.retryable).toBe(false);
    expect(failure.message).toContain(part);
  });

  it('cannot redirect git itself', async () => {
    const before = server.requests.length;
    await failureOf(openGitSnapshot(options(`${base}/sneaky/.git`)));
    const later = server.requests.slice(before);
    expect(later).toContain('POST /sneaky/.git/git-upload-pack');
    expect(later.filter((request) => request === `POST /${name}/.git/git-upload-pack`)).toEqual([]);
  });

  it('is opened with the token of its origin, and never with that of another', async () => {
    const url = `${base}/private/.git`;
    const snapshot = await openGitSnapshot(
      options(url, { token: { origin: base, token: 's3cret' } }),
    );
    expect(snapshot.entries.length).toBeGreaterThan(0);
    const elsewhere = { origin: 'https://github.com', token: 's3cret' };
    const failure = await failureOf(openGitSnapshot(options(url, { token: elsewhere })));
    expect(failure).toMatchObject({ details: { status_code: 401 } });
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('s3cret');
  });

  it('that never responds fails after the deadline, or when aborted', async () => {
    const url = `${base}/slow/repo.git`;
    expect(await failureOf(openGitSnapshot(options(url, { timeoutMs: 300 })))).toMatchObject({
      retryable: true,
      details: { url },
    });
    const stop = new AbortController();
    const attempt = openGitSnapshot(options(url, { signal: stop.signal }));
    stop.abort(new Error('cancelled'));
    await expect(attempt).rejects.toThrow('cancelled');
  });

  it('that no server serves is a retryable failure', async () => {
    const url = 'http://127.0.0.1:9/repo.git';
    const failure = await failureOf(openGitSnapshot(options(url)));
    expect(failure).toMatchObject({ retryable: true, details: { url, reason: 'ECONNREFUSED' } });
  });

  it('on a host that does not exist is a retryable failure', async () => {
    const url = 'https://no-such-host.invalid/repo.git';
    const failure = await failureOf(openGitSnapshot(options(url)));
    expect(failure).toMatchObject({ retryable: true, details: { url } });
  });
});
