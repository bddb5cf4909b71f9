import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { isStageFailure } from '#contracts';
import { TestRepository } from '#test/support/git-repository';
import { tempDir } from '#test/support/temp-dir';

import { type GitSnapshotOptions, openGitSnapshot } from '../git/open-git-snapshot.js';
import { resolveGitHead } from '../git/resolve-git-head.js';
import { fileUrlProblem, type FileUrlRules } from './file-url.js';

const NOT_BELOW = 'The folder is not below one that ALLOW_FILE_URLS names';
const SERVICE_FOLDER =
  'The folder lies in DATA_DIR, where this server keeps the content of all tenants';

describe('the place of a file:// source', () => {
  let folder: ReturnType<typeof tempDir>;
  let below: FileUrlRules;
  let anywhere: FileUrlRules;
  const at = (...words: string[]) => join(folder.path, ...words);
  const url = (...words: string[]) => pathToFileURL(at(...words)).href;

  beforeEach(() => {
    folder = tempDir();
    for (const name of ['srv/app', 'data/git/theirs', 'other'])
      TestRepository.create(at(name), { 'a.txt': name });
    below = { below: [at('srv')], except: at('data') };
    anywhere = { below: ['/'], except: at('data') };
  });
  afterEach(() => folder.remove());

  const options = (of: string, fileUrls: FileUrlRules): GitSnapshotOptions => ({
    url: of,
    directory: at('scratch'),
    limits: { maxFileBytes: 1_000_000, maxSourceBytes: 50_000_000, maxSourceFiles: 200_000 },
    allowPrivateNetworks: false,
    fileUrls,
    timeoutMs: 20_000,
  });

  async function contents(of: string, rules: FileUrlRules): Promise<string[]> {
    const snapshot = await openGitSnapshot(options(of, rules));
    const found: string[] = [];
    for await (const { bytes } of snapshot.read(snapshot.entries.map(({ oid }) => oid))) {
      found.push(Buffer.from(bytes).toString('utf8'));
    }
    await snapshot.close();
    return found;
  }

  /**
   * Returns the problems that registration and the fetch report; they must be the same sentence.
   */
  async function refusals(of: string, rules: FileUrlRules): Promise<(string | null)[]> {
    const fetched = await contents(of, rules).then(String, (error: unknown) => {
      if (!isStageFailure(error)) throw error;
      return error.retryable ? 'retried' : error.message.replace(`: ${of}`, '');
    });
    return [await fileUrlProblem(of, rules), fetched];
  }

  it('is one of the folders or below', async () => {
    expect(await fileUrlProblem(url('srv/app'), below)).toBeNull();
    expect(await contents(url('srv/app'), below)).toEqual(['srv/app']);
    expect(await contents(url('srv/app'), { ...below, below: [at('srv/app')] })).toEqual([
      'srv/app',
    ]);
    expect(await contents(url('other'), anywhere)).toEqual(['other']);
    expect(await refusals(url('other'), below)).toEqual([NOT_BELOW, NOT_BELOW]);
    cpSync(at('other'), at('srv-private'), { recursive: true });
    expect(await refusals(url('srv-private'), below)).toEqual([NOT_BELOW, NOT_BELOW]);
    expect(await fileUrlProblem(`${url('srv')}/%2e%2e/other`, below)).toBe(NOT_BELOW);
  });

  it('is never in the folder of the service, whatever is allowed', async () => {
    const theirs = url('data/git/theirs');
    for (const rules of [anywhere, { below: [at('data/git')], except: at('data') }]) {
      expect(await refusals(theirs, rules)).toEqual([SERVICE_FOLDER, SERVICE_FOLDER]);
    }
    symlinkSync(at('data'), at('linked-data'));
    const linked = { below: ['/'], except: at('linked-data') };
    expect(await refusals(theirs, linked)).toEqual([SERVICE_FOLDER, SERVICE_FOLDER]);
  });

  it('is the target of links, including links that git follows', async () => {
    symlinkSync(at('other'), at('srv/link'));
    symlinkSync(at('data/git'), at('srv/clones'));
    mkdirSync(at('srv/tree'));
    writeFileSync(at('srv/tree/.git'), `gitdir: ${at('data/git/theirs/.git')}\n`);
    mkdirSync(at('srv/inner'));
    symlinkSync(at('data/git/theirs/.git'), at('srv/inner/.git'));
    cpSync(at('srv/app'), at('srv/borrower'), { recursive: true });
    writeFileSync(
      at('srv/borrower/.git/objects/info/alternates'),
      `${at('data/git/theirs/.git/objects')}\n`,
    );
    cpSync(at('srv/app'), at('srv/quoting'), { recursive: true });
    writeFileSync(at('srv/quoting/.git/objects/info/alternates'), `"\\057data"\n`);
    expect(await refusals(url('srv/link'), below)).toEqual([NOT_BELOW, NOT_BELOW]);
    expect(await refusals(url('srv/clones/theirs'), below)).toEqual([NOT_BELOW, NOT_BELOW]);
    for (const name of ['srv/clones/theirs', 'srv/tree', 'srv/inner', 'srv/borrower']) {
      expect([name, await refusals(url(name), anywhere)]).toEqual([
        name,
        [SERVICE_FOLDER, SERVICE_FOLDER],
      ]);
    }
    const unreadable = 'The repository borrows objects from a folder whose name cannot be read';
    expect(await refusals(url('srv/quoting'), anywhere)).toEqual([unreadable, unreadable]);
  });

  it('may be reached by links that stay inside, and be bare or a linked working tree', async () => {
    symlinkSync(at('srv'), at('entry'));
    symlinkSync(at('srv/app'), at('srv/current'));
    const git = (...words: string[]) =>
      execFileSync('git', words, { cwd: at('srv/app'), stdio: 'pipe' });
    git('clone', '--quiet', '--bare', '.', at('srv/bare.git'));
    git('worktree', 'add', '--quiet', '-b', 'side', at('srv/side'));
    for (const name of [
      'srv/current',
      'entry/app',
      'srv/bare',
      'srv/bare.git',
      'srv/side',
      'srv/app/.git',
    ]) {
      expect([name, await contents(url(name), below)]).toEqual([name, ['srv/app']]);
    }
    expect(await contents(url('srv/app'), { ...below, below: [at('entry')] })).toEqual(['srv/app']);
  });

  it('is checked again right before a fetch', async () => {
    const head = await resolveGitHead(options(url('srv/app'), anywhere));
    renameSync(at('srv/app'), at('srv/old'));
    symlinkSync(at('data/git/theirs'), at('srv/app'));
    await expect(openGitSnapshot({ ...options(url('srv/app'), anywhere), head })).rejects.toThrow(
      SERVICE_FOLDER,
    );
  });

  it('is the only one that git reads: it searches for no other repository below', async () => {
    const head = await resolveGitHead(options(url('srv/app'), below));
    expect(head.access.href).toBe(url('srv/app/.git'));
    rmSync(at('srv/app/.git'), { recursive: true });
    mkdirSync(at('srv/app/.git'));
    writeFileSync(at('srv/app/.git/.git'), `gitdir: ${at('other/.git')}\n`);
    const served = (...words: string[]) =>
      execFileSync('git', ['ls-remote', ...words, head.access.href], { stdio: 'pipe' }).toString();
    expect(served()).toContain('refs/heads/main');
    expect(() => served(...head.access.parameters)).toThrow(
      'does not appear to be a git repository',
    );
  });

  it('that does not exist yet is checked by its path, and the fetch reports that it is missing', async () => {
    const missing = url('srv/later');
    expect(await refusals(missing, below)).toEqual([null, `${missing} is not a git repository`]);
    expect(await refusals(url('data/git/later'), anywhere)).toEqual([
      SERVICE_FOLDER,
      SERVICE_FOLDER,
    ]);
    expect((await refusals('file:///srv/%ff', anywhere))[0]).toContain('UTF-8');
    expect((await refusals('file:///srv/a%2fb', anywhere))[0]).toContain('encoded slash');
  });
});
