import { execFileSync, spawnSync } from 'node:child_process';

import { FileSelector, isSkipped, parseFile, type ParsedDocument } from '#ingest';

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_BUFFER = 1 << 30;

/** The code files of a repository at a revision, chosen as a sync chooses them; prose and data are left out. */
export function readCode(gitFolder: string, revision: string, root?: string): ParsedDocument[] {
  // Figures published for such sets are of code files alone.
  return readDocuments(gitFolder, revision, root).filter(({ kind }) => kind === 'code');
}

/** The files of a repository at a revision, chosen as a sync chooses them. */
export function readDocuments(gitFolder: string, revision: string, root?: string): ParsedDocument[] {
  const files = listFiles(gitFolder, revision, root);
  const selector = new FileSelector({
    include: [],
    exclude: [],
    maxFileBytes: MAX_FILE_BYTES,
    paths: files.map(({ path }) => path),
  });
  const chosen = files.filter((file) => selector.decide(file) === 'read');
  const blobs = readBlobs(
    gitFolder,
    chosen.map(({ oid }) => oid),
  );
  return chosen.flatMap(({ path }, at) => {
    const document = parseFile({ path, kind: 'file', bytes: blobs[at] as Uint8Array });
    return isSkipped(document) ? [] : [document];
  });
}

/** What git prints. @throws Error when git fails. */
export function git(gitFolder: string, ...words: string[]): string {
  return execFileSync('git', ['-C', gitFolder, ...words], { maxBuffer: MAX_BUFFER, encoding: 'utf8' });
}

function listFiles(gitFolder: string, revision: string, root: string | undefined) {
  const where = root === undefined ? [] : ['--', `${root}/`];
  const listing = git(gitFolder, 'ls-tree', '-r', '-l', '-z', revision, ...where);
  return listing.split('\0').flatMap((line) => {
    const match = /^100\d+ blob (\w+) +(\d+)\t(.*)$/s.exec(line);
    return match ? [{ oid: match[1] as string, size: Number(match[2]), path: match[3] as string }] : [];
  });
}

function readBlobs(gitFolder: string, oids: readonly string[]): Uint8Array[] {
  const { stdout, status } = spawnSync('git', ['-C', gitFolder, 'cat-file', '--batch'], {
    input: oids.map((oid) => `${oid}\n`).join(''),
    maxBuffer: MAX_BUFFER,
  });
  if (status !== 0) throw new Error(`git cannot read ${gitFolder}`);
  let at = 0;
  return oids.map((oid) => {
    const headerEnd = stdout.indexOf('\n', at);
    const size = Number(/^\w+ blob (\d+)$/.exec(stdout.toString('utf8', at, headerEnd))?.[1]);
    if (!Number.isInteger(size)) throw new Error(`git has no blob ${oid} in ${gitFolder}`);
    at = headerEnd + 1 + size + 1;
    return stdout.subarray(headerEnd + 1, headerEnd + 1 + size);
  });
}
