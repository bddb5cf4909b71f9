import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import type { Session } from './session.js';
import { UsageError } from './usage-error.js';

/** The choice of a service: by default the checkout around this command, else a fetched server. */
export interface ProgramOptions {
  readonly dataDir?: string;
  /** Folder of a checkout. */
  readonly checkout?: string;
  /** Tarball or npm specifier of a server package. */
  readonly server?: string;
}

interface ServiceProgram {
  /** Words for Node. */
  readonly words: readonly string[];
  /** Working folder; undefined: that of the command. */
  readonly folder?: string;
  /** Data folder; undefined: the service decides. */
  readonly dataDir?: string;
}

/** Returns the program of the service, which may have to be fetched. */
export async function serviceProgram(
  session: Session,
  options: ProgramOptions,
): Promise<ServiceProgram> {
  if (options.checkout !== undefined && options.server !== undefined) {
    throw new UsageError('--checkout and --server exclude each other');
  }
  const server = options.server ?? (options.checkout ? undefined : session.variables.server);
  const checkout = options.checkout ?? checkoutAbove(import.meta.dirname);
  return server === undefined && checkout !== undefined
    ? ofCheckout(checkout, options)
    : ofPackage(session, server, options);
}

function ofCheckout(checkout: string, { dataDir }: ProgramOptions): ServiceProgram {
  const launcher = join(checkout, 'tools/launch.mjs');
  if (!existsSync(launcher)) {
    throw new UsageError(`--checkout must be a checkout of Footnote (got "${checkout}")`);
  }
  const words = [launcher, 'dist/apps/standalone/main.js'];
  return { words, ...(dataDir !== undefined && { dataDir }) };
}

/** It runs in the folder of its data: a `.env` in the folder of the command is another's. */
async function ofPackage(
  { variables, terminal, signal }: Session,
  server: string | undefined,
  options: ProgramOptions,
): Promise<ServiceProgram> {
  const { fetchServer } = await import('./server/fetch-server.js');
  const folder = variables.dataFolder;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const launcher = await fetchServer({
    folder: join(folder, 'server'),
    server,
    signal,
    note: (text) => terminal.note(text),
  });
  const dataDir = resolve(options.dataDir ?? variables.dataDir ?? join(folder, 'data'));
  return { words: [launcher], folder, dataDir };
}

/** Returns the nearest folder above that is a checkout. */
function checkoutAbove(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'tools/launch.mjs'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
