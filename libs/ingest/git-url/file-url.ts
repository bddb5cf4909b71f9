import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { StageFailure } from '#contracts';

import { repositoryAt } from './local-repository.js';

/** Rules for the location of `file://` sources. */
export interface FileUrlRules {
  /**
   * Folders that may contain sources, directly or deeper. An empty list disables `file://` sources.
   */
  readonly below: readonly string[];
  /**
   * Folder that never contains a source, whatever `below` allows. The service stores the content of
   * all tenants there.
   */
  readonly except: string;
}

const NOT_A_PATH = 'A file:// URL names a path, in UTF-8 and without an encoded slash';
const UNREADABLE = 'The repository borrows objects from a folder whose name cannot be read';
const NOT_BELOW = 'The folder is not below one that ALLOW_FILE_URLS names';
const SERVICE_FOLDER =
  'The folder lies in DATA_DIR, where this server keeps the content of all tenants';

/**
 * Returns the problem with the location of a `file://` source, or null. Resolves links first,
 * including links that git itself follows. If this process cannot see the folder, it checks the
 * part of the path that exists. Another process may do the fetch.
 */
export async function fileUrlProblem(href: string, rules: FileUrlRules): Promise<string | null> {
  return (await examine(href, rules)).problem;
}

/**
 * Returns the URL of the folder that git serves, free of links. The checked folder and the folder
 * that git reads are the same.
 * @throws StageFailure if the location is not allowed or has no repository.
 */
export async function requireFileUrl(url: string, rules: FileUrlRules): Promise<string> {
  const { problem, folder } = await examine(url, rules);
  if (problem !== null) throw new StageFailure(`${problem}: ${url}`, false, { url });
  if (folder === null) throw new StageFailure(`${url} is not a git repository`, false, { url });
  return pathToFileURL(folder).href;
}

interface Examined {
  readonly problem: string | null;
  /** Null where there is no repository. */
  readonly folder: string | null;
}

async function examine(href: string, rules: FileUrlRules): Promise<Examined> {
  const path = pathOf(href);
  if (path === null) return { problem: NOT_A_PATH, folder: null };
  const places = await resolvedRules(rules);
  const outside = await placeProblem(path, places);
  if (outside !== null) return { problem: outside, folder: null };
  const repository = await repositoryAt(path);
  const problems = await Promise.all(
    (repository?.parts ?? []).map((part) => partProblem(part, places)),
  );
  return {
    problem: problems.find((problem) => problem !== null) ?? null,
    folder: repository?.folder ?? null,
  };
}

async function partProblem(part: string | null, places: FileUrlRules): Promise<string | null> {
  return part === null ? UNREADABLE : placeProblem(part, places);
}

/** Returns the rules with the links in their folders resolved, once for all parts. */
async function resolvedRules({ below, except }: FileUrlRules): Promise<FileUrlRules> {
  const [excepted, ...allowed] = await Promise.all([except, ...below].map(resolved));
  return { below: allowed, except: excepted ?? except };
}

function pathOf(href: string): string | null {
  try {
    const path = fileURLToPath(href);
    return path.includes('\0') ? null : path;
  } catch {
    return null;
  }
}

/** @param places with resolved folders. */
async function placeProblem(path: string, places: FileUrlRules): Promise<string | null> {
  const real = await resolved(path);
  if (!places.below.some((folder) => isInside(folder, real))) return NOT_BELOW;
  return isInside(places.except, real) ? SERVICE_FOLDER : null;
}

/** Returns the path with links resolved in every part that exists. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await resolved(parent), basename(path));
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
