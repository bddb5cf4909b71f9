import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { getCACertificates } from 'node:tls';

import { replaceScratchFile } from '#platform';

const written = new Map<string, Promise<string>>();

/**
 * A file with every authority that this process trusts, for git, which does not know of
 * NODE_EXTRA_CA_CERTS; written once a process. Undefined where nothing was added to what git trusts
 * by itself.
 */
export async function trustedAuthorities(file: string): Promise<string | undefined> {
  if (getCACertificates('extra').length === 0) return undefined;
  let writing = written.get(file);
  if (!writing) {
    writing = write(file);
    written.set(file, writing);
    writing.catch(() => written.delete(file));
  }
  return writing;
}

async function write(file: string): Promise<string> {
  // Setting a file takes away the one that git would read otherwise.
  const all = new Set([...getCACertificates('default'), ...getCACertificates('system')]);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceScratchFile(file, [...all].join('\n'));
  return file;
}
