import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { API_VERSION } from '#contracts/api-version';

import { readJsonObject } from '../read-json-object.js';
import { UsageError } from '../usage-error.js';
import { runNpm } from './run-npm.js';
import { ServerError } from './server-error.js';
import { unpackTarball } from './unpack-tarball.js';

/** Name of the package; its scope is a choice that is not registered yet. */
const PACKAGE = '@footnote-search/server';
/** The launcher of the package. */
const LAUNCHER = 'bin/footnote-server.mjs';
const DRAFT = '.new-';
/** No fetch takes as long: an older draft belongs to one that was killed. */
const DRAFT_IS_OLD_MS = 60 * 60_000;
/** A name with a version, or an address, without characters that a shell reads. */
const SPECIFIER =
  /^(?:(?:@[\w.-]{1,100}\/)?\w[\w.-]{0,99}@[\w.+~^-]{1,100}|https:[\w./:@+~-]{1,300})$/;

interface FetchOptions {
  /** Folder that holds a folder for each fetched server. */
  readonly folder: string;
  /** A tarball or npm specifier; default: the package at the version of this command. */
  readonly server: string | undefined;
  readonly signal: AbortSignal;
  /** Receives what happens, for a person. */
  readonly note: (text: string) => void;
}

/**
 * Returns the launcher of a server, which it fetches by npm if it is not there yet. Dependencies
 * have the versions and checksums of the package's lock, and no script of a package runs. A server
 * gets its folder when it is complete, so a failed or killed fetch is simply repeated.
 * @throws ServerError if it cannot be fetched, UsageError for an invalid `server`.
 */
export async function fetchServer(options: FetchOptions): Promise<string> {
  const { folder, server, signal, note } = options;
  const tarball = server !== undefined && (await isFile(server)) ? resolve(server) : undefined;
  const specifier = server ?? `${PACKAGE}@${API_VERSION}`;
  if (tarball === undefined && !SPECIFIER.test(specifier)) {
    throw new UsageError(`--server must be a file or an npm specifier (got "${specifier}")`);
  }
  const place = join(folder, await nameOf(server, tarball));
  const launcher = join(place, LAUNCHER);
  if (await isFile(launcher)) return launcher;
  note(`Fetching the server ${tarball ?? specifier} (first use) …`);
  await removeOldDrafts(folder);
  const draft = join(folder, `${DRAFT}${randomUUID()}`);
  try {
    await mkdir(join(draft, 'server'), { recursive: true });
    const archive = tarball ?? (await packed(specifier, draft, signal));
    await unpackTarball(archive, join(draft, 'server'), signal);
    await requireServer(join(draft, 'server'), server === undefined ? API_VERSION : undefined);
    const install = ['ci', '--omit=dev', '--include=optional'];
    await runNpm(install, { folder: join(draft, 'server'), signal });
    await takePlace(join(draft, 'server'), place);
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
  }
  return launcher;
}

/** Returns the name of a server's folder: its version, or a digest of what was named instead. */
async function nameOf(server: string | undefined, tarball: string | undefined): Promise<string> {
  if (server === undefined) return API_VERSION;
  const hash = createHash('sha256');
  if (tarball === undefined) hash.update(server);
  else await pipeline(createReadStream(tarball), hash);
  return `custom-${hash.digest('hex').slice(0, 16)}`;
}

/** Returns the tarball of a specifier, which npm downloads and checks. */
async function packed(specifier: string, folder: string, signal: AbortSignal): Promise<string> {
  await runNpm(['pack', specifier], { folder, signal });
  const [name] = (await readdir(folder)).filter((each) => each.endsWith('.tgz'));
  if (name === undefined) throw new ServerError(`npm packed nothing for ${specifier}`);
  return join(folder, name);
}

/** @throws ServerError for another package, or another version than a wanted one. */
async function requireServer(folder: string, wanted: string | undefined): Promise<void> {
  const { name, version } = await readJsonObject(join(folder, 'package.json'), 'is not JSON');
  if (name === PACKAGE && version !== undefined && (wanted ?? version) === version) {
    if (await isFile(join(folder, LAUNCHER))) return;
  }
  throw new ServerError(
    `The server package must be ${PACKAGE}${wanted === undefined ? '' : ` ${wanted}`} ` +
      `(got ${String(name)} ${String(version)})`,
  );
}

/** Moves a complete server to its folder. A server that another command put there first stays. */
async function takePlace(complete: string, place: string): Promise<void> {
  try {
    await rename(complete, place);
  } catch (error) {
    if (!(await isFile(join(place, LAUNCHER)))) throw error;
  }
}

async function removeOldDrafts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of (await readdir(folder)).filter((each) => each.startsWith(DRAFT))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > DRAFT_IS_OLD_MS) await rm(path, { recursive: true, force: true });
  }
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}
