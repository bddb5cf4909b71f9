import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SourceDefinition } from '#contracts';
import {
  createFetchers,
  fetcherFor,
  type FetchRequest,
  parseFile,
  type SourceSnapshot,
} from '#ingest';
import { loadConfig } from '#platform';
import { GitHttpServer } from '#test/support/git-http-server';
import { TestRepository } from '#test/support/git-repository';
import { tempDir } from '#test/support/temp-dir';

const NO_UPLOADS = { get: () => Promise.reject(new Error('nothing is uploaded')) };

const TEXT = new TextDecoder();

describe.each(['file', 'http'] as const)('the git fetcher with `branch`, over %s', (transport) => {
  const folder = tempDir();
  const server = new GitHttpServer(folder.path);
  const config = loadConfig(
    { ALLOW_FILE_URLS: 'true', ALLOW_PRIVATE_NETWORKS: 'true' },
    '/nonexistent',
  );
  let repository: TestRepository;
  let url = '';
  const fetcher = fetcherFor(createFetchers(config, NO_UPLOADS), definition());
  let scratch = 0;
  const commits: string[] = [];

  beforeAll(async () => {
    const base = await server.listen();
    repository = TestRepository.create(`${folder.path}/site`);
    for (const [at, tag] of ['one', 'two', 'three'].entries()) {
      commits.push(repository.commit({ 'a.txt': `${tag}\n` }));
      if (at === 0) repository.git('tag', 'light');
      if (at === 1) repository.git('tag', '--annotate', 'v1.0', '--message', 'First');
      if (at === 1) repository.git('tag', '--annotate', 'again', '--message', 'Of a tag', 'v1.0');
    }
    url = transport === 'file' ? repository.url : `${base}/site/.git`;
  });
  afterAll(async () => {
    await server.close();
    folder.remove();
  });

  function definition(branch?: string): SourceDefinition {
    const patterns = { include_patterns: [], exclude_patterns: [] };
    return { source_type: 'repo', url, ...(branch === undefined ? {} : { branch }), ...patterns };
  }

  function requestFor(
    branch: string,
    directory = `${folder.path}/scratch-${(scratch += 1)}`,
  ): FetchRequest {
    const { limits, network } = config;
    const signal = new AbortController().signal;
    const given = { tenantId: 't', definition: definition(branch), directory, recipe: 'r1' };
    return { ...given, limits, network, signal, timeoutMs: 20_000 };
  }

  async function contentOf(snapshot: SourceSnapshot): Promise<string> {
    const texts: string[] = [];
    for await (const { bytes } of snapshot.read(snapshot.documents)) texts.push(TEXT.decode(bytes));
    await snapshot.close();
    return texts.join('');
  }

  async function read(request: FetchRequest) {
    const version = await fetcher.resolve(request);
    const snapshot = await version.open([]);
    return { resolved: version.ref, ref: snapshot.ref, content: await contentOf(snapshot) };
  }

  const readFirst = (request: FetchRequest) => read({ ...request, isFirst: true });

  it.each([
    ['a branch', () => 'main', 2, 'three\n'],
    ['a tag', () => 'light', 0, 'one\n'],
    ['a tag with a message', () => 'v1.0', 1, 'two\n'],
    ['a tag of a tag', () => 'again', 1, 'two\n'],
    ['a commit', () => commits[1] ?? '', 1, 'two\n'],
    ['a commit in capitals', () => (commits[0] ?? '').toUpperCase(), 0, 'one\n'],
  ])('reads %s, and the version is its commit', async (_, branch, at, content) => {
    const ref = commits[at];
    expect(await read(requestFor(branch()))).toEqual({ resolved: ref, ref, content });
  });

  it.each([
    ['a branch', () => 'main', 2],
    ['a tag', () => 'light', 0],
    ['a tag with a message', () => 'v1.0', 1],
    ['a commit', () => commits[1] ?? '', 1],
  ])('reads %s in a first sync without a version before', async (_, branch, at) => {
    const read = await readFirst(requestFor(branch()));
    expect(read).toMatchObject({ resolved: null, ref: commits[at] });
  });

  it('names the default branch if a first sync finds no such branch', async () => {
    await expect(readFirst(requestFor('gone'))).rejects.toMatchObject({
      message: `${url} has no branch or tag "gone"; its default branch is "main"`,
      retryable: false,
      details: { default_branch: 'main' },
    });
  });

  it('asks the remote in a first sync if an earlier attempt left its repository', async () => {
    const directory = `${folder.path}/left`;
    await readFirst(requestFor('main', directory));
    const read = await readFirst(requestFor('v1.0', directory));
    expect(read).toMatchObject({ ref: commits[1], content: 'two\n' });
  });

  it('switches refs in a cached repository, and does not fetch the same one again', async () => {
    const directory = `${folder.path}/kept`;
    const contents: string[] = [];
    for (const branch of ['v1.0', 'main', commits[0] ?? '', 'v1.0', 'v1.0']) {
      contents.push((await read(requestFor(branch, directory))).content);
    }
    expect(contents).toEqual(['two\n', 'three\n', 'one\n', 'two\n', 'two\n']);
    if (transport === 'file') return;
    server.requests.length = 0;
    await read(requestFor('v1.0', directory));
    // The client requests the target of the branch, and no pack.
    expect(server.requests.filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  it('reads a tag at the commit that it names at the time of the fetch', async () => {
    repository.git('tag', '--annotate', 'moving', '--message', 'Here', commits[0] ?? '');
    const version = await fetcher.resolve(requestFor('moving'));
    repository.git(
      'tag',
      '--annotate',
      '--force',
      'moving',
      '--message',
      'There',
      commits[1] ?? '',
    );
    const snapshot = await version.open([]);
    expect([version.ref, snapshot.ref]).toEqual([commits[0], commits[1]]);
    expect(await contentOf(snapshot)).toBe('two\n');
  });

  it('prefers a branch to a tag of the same name', async () => {
    repository.git('tag', 'both', commits[0] ?? '');
    repository.git('branch', 'both', commits[2] ?? '');
    expect((await read(requestFor('both'))).ref).toBe(commits[2]);
  });

  it('rejects an abbreviated commit ID', async () => {
    const short = (commits[1] ?? '').slice(0, 10);
    await expect(fetcher.resolve(requestFor(short))).rejects.toMatchObject({
      message: `${url} has no branch or tag "${short}", and a commit is named by all 40 of its digits; its default branch is "main"`,
      retryable: false,
    });
  });

  it('rejects a commit that the host does not have or provide', async () => {
    const version = await fetcher.resolve(requestFor('12'.repeat(20)));
    await expect(version.open([])).rejects.toMatchObject({
      message: `${url} has no commit ${'12'.repeat(20)}, or its host does not hand out commits by their id; name a branch or a tag instead`,
      retryable: false,
    });
  });

  it('rejects a tag that does not name a commit', async () => {
    repository.git('tag', 'blob', 'HEAD:a.txt');
    const version = await fetcher.resolve(requestFor('blob'));
    await expect(version.open([])).rejects.toMatchObject({
      message: `The tag "blob" of ${url} names no commit`,
      retryable: false,
    });
  });
});

describe('what a repository refers to and does not hold', () => {
  const folder = tempDir();
  afterAll(() => folder.remove());

  it('is counted: submodules when files are selected, pointers into LFS when they are read', async () => {
    const repository = TestRepository.create(`${folder.path}/site`, {
      'src/a.ts': 'export const a = 1;\n',
      'data/model.json': pointer('https://git-lfs.github.com/spec/v1'),
    });
    const submodule = repository.git('rev-parse', 'HEAD').trim();
    for (const path of ['lib/one', 'lib/two']) {
      repository.git('update-index', '--add', '--cacheinfo', `160000,${submodule},${path}`);
    }
    repository.git('commit', '--quiet', '--message', 'Refer to others');
    const config = loadConfig({ ALLOW_FILE_URLS: 'true' }, '/nonexistent');
    const patterns = { include_patterns: [], exclude_patterns: [] };
    const definition: SourceDefinition = {
      source_type: 'repo',
      url: repository.url,
      branch: 'main',
      ...patterns,
    };
    const version = await fetcherFor(createFetchers(config, NO_UPLOADS), definition).resolve({
      tenantId: 't',
      definition,
      directory: `${folder.path}/scratch`,
      recipe: 'r1',
      timeoutMs: 20_000,
      limits: config.limits,
      network: config.network,
      signal: new AbortController().signal,
    });
    const snapshot = await version.open([]);
    expect(snapshot.skipped).toEqual({ files_skipped: 2, files_skipped_submodule: 2 });
    expect(snapshot.documents.map(({ path }) => path)).toEqual(['data/model.json', 'src/a.ts']);
    const skipped: unknown[] = [];
    for await (const document of snapshot.read(snapshot.documents)) {
      const parsed = parseFile({ ...document, named: true });
      skipped.push('skipped' in parsed ? parsed.skipped : null);
    }
    await snapshot.close();
    expect(skipped).toEqual(['lfs', null]);
  });

  it.each([
    ['an older pointer', pointer('https://hawser.github.com/spec/v1'), true],
    [
      'a text that quotes one',
      `As they look:\n${pointer('https://git-lfs.github.com/spec/v1')}`,
      false,
    ],
    [
      'a text about the version alone',
      'version https://git-lfs.github.com/spec/v1\nis the first line.\n',
      false,
    ],
    [
      'a long text that begins like one',
      pointer('https://git-lfs.github.com/spec/v1') + 'x'.repeat(1_024),
      false,
    ],
  ])('knows %s', (_, text, isPointer) => {
    const parsed = parseFile({ path: 'a.txt', kind: 'file', bytes: Buffer.from(text) });
    expect('skipped' in parsed && parsed.skipped === 'lfs').toBe(isPointer);
  });
});

function pointer(version: string): string {
  return `version ${version}\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;
}
