import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { getCACertificates } from 'node:tls';

import { replaceScratchFile } from '#platform';

const written = new Map<string, Promise<string>>();

/**
 * Returns a file with every authority that this process trusts, written once per process. git needs
 * it because git does not read NODE_EXTRA_CA_CERTS. Returns undefined if the process trusts no
 * additional authorities.
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
  // A configured file replaces the one that git would read by default.
  const all = new Set([...getCACertificates('default'), ...getCACertificates('system')]);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceScratchFile(file, [...all].join('\n'));
  return file;
}
