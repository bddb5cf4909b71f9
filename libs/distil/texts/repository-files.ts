import { spawnSync } from 'node:child_process';

import { FileSelector, isSkipped, OutputFolders, type ParsedDocument, parseFile } from '#ingest';

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_BUFFER = 1 << 30;
const TIMEOUT_MS = 10 * 60_000;
/**
 * The repository's settings start nothing, and missing objects of a partial clone are not fetched.
 */
const SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'safe.directory=*',
  'protocol.allow=never',
];

/** A file of a revision, before its content is read. */
export interface ListedBlob {
  readonly oid: string;
  /** Bytes. */
  readonly size: number;
  readonly path: string;
}

export interface ReadOptions {
  /** A folder of the repository; files outside are ignored. */
  readonly root?: string | undefined;
  /** Selects files among those that a sync would read. Default: all. */
  readonly narrow?: (files: readonly ListedBlob[]) => readonly ListedBlob[];
}

/**
 * Returns the files of a repository at a revision, selected and parsed like in a sync.
 * @throws Error if git fails.
 */
export function readDocuments(
  gitFolder: string,
  revision: string,
  options: ReadOptions = {},
): ParsedDocument[] {
  const { root, narrow = (files) => files } = options;
  const files = listFiles(gitFolder, revision, root);
  const folders = new OutputFolders();
  for (const { path } of files) folders.add(path);
  const outputs = folders.finish();
  const selector = new FileSelector({
    include: [],
    exclude: [],
    maxFileBytes: MAX_FILE_BYTES,
    outputs,
  });
  const chosen = narrow(files.filter((file) => selector.decide(file) === 'read'));
  const blobs = readBlobs(
    gitFolder,
    chosen.map(({ oid }) => oid),
  );
  return chosen.flatMap(({ path }, at) => {
    const document = parseFile({ path, kind: 'file', bytes: blobs[at] as Uint8Array });
    return isSkipped(document) ? [] : [document];
  });
}

/**
 * Returns the output of git.
 * @throws Error if git fails.
 */
export function git(gitFolder: string, ...words: string[]): string {
  return gitWithInput(gitFolder, '', words).toString('utf8');
}

/**
 * Returns the output of git for long input on its standard input.
 * @throws Error if git fails.
 */
export function gitWithInput(gitFolder: string, input: string, words: readonly string[]): Buffer {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    [...settings, '-C', gitFolder, ...words],
    {
      input,
      maxBuffer: MAX_BUFFER,
      timeout: TIMEOUT_MS,
    },
  );
  if (error)
    throw new Error(`git ${words[0]} in ${gitFolder} failed: ${error.message}`, { cause: error });
  if (status === 0) return stdout;
  const [said = ''] = stderr.toString('utf8').trim().split('\n').slice(-1);
  throw new Error(`git ${words[0]} in ${gitFolder} failed: ${said}`);
}

function listFiles(gitFolder: string, revision: string, root: string | undefined): ListedBlob[] {
  const where = root === undefined ? [] : ['--', `${root}/`];
  const listing = git(gitFolder, 'ls-tree', '-r', '-l', '-z', revision, ...where);
  return listing.split('\0').flatMap((line) => {
    const match = /^100\d+ blob (\w+) +(\d+)\t(.*)$/s.exec(line);
    return match
      ? [{ oid: match[1] as string, size: Number(match[2]), path: match[3] as string }]
      : [];
  });
}

function readBlobs(gitFolder: string, oids: readonly string[]): Uint8Array[] {
  const asked = oids.map((oid) => `${oid}\n`).join('');
  const stdout = gitWithInput(gitFolder, asked, ['cat-file', '--batch']);
  let at = 0;
  return oids.map((oid) => {
    const headerEnd = stdout.indexOf('\n', at);
    const size = Number(/^\w+ blob (\d+)$/.exec(stdout.toString('utf8', at, headerEnd))?.[1]);
    if (!Number.isInteger(size)) throw new Error(`git has no blob ${oid} in ${gitFolder}`);
    at = headerEnd + 1 + size + 1;
    return stdout.subarray(headerEnd + 1, headerEnd + 1 + size);
  });
}
