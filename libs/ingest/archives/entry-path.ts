import { ArchiveRefusedError } from './archive-refused.js';

/** Longest path, bytes, and most folders in one. */
const LONGEST = 4_096;
const DEEPEST = 100;

/** Control characters, which no reader can show, and what stands for bytes that were no text. */
// eslint-disable-next-line no-control-regex
const UNREADABLE = /[\u0000-\u001f\u007f\ufffd\\]/;

/**
 * The path of an entry within its archive, without `.` and doubled slashes; null for a name that is
 * no readable text, which is left out.
 *
 * @throws ArchiveRefusedError for a name that leads out of the archive, on whatever system, or is
 * longer or deeper than any sane one.
 */
export function entryPath(name: string): string | null {
  if (Buffer.byteLength(name) > LONGEST) throw hostile(`a name of more than ${LONGEST} bytes`);
  if (name.startsWith('/') || name.startsWith('\\') || /^[a-z]:/i.test(name))
    throw hostile(`the absolute path ${shown(name)}`);
  if (name.split(/[/\\]/).includes('..'))
    throw hostile(`the path ${shown(name)}, which leads out of it`);
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length > DEEPEST) throw hostile(`a path of more than ${DEEPEST} folders`);
  return parts.length === 0 || UNREADABLE.test(name) ? null : parts.join('/');
}

/**
 * Whether a link leads to a place in its archive. @param path of the link, as {@link entryPath}
 * gives it.
 */
export function leadsInside(
  path: string,
  { target, from }: { target: string; from: 'folder' | 'top' },
): boolean {
  if (target === '' || target.startsWith('/') || /^[a-z]:/i.test(target) || UNREADABLE.test(target))
    return false;
  let depth = from === 'top' ? 0 : path.split('/').length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return false;
  }
  return true;
}

export function hostile(what: string): ArchiveRefusedError {
  return new ArchiveRefusedError('hostile', `holds ${what}`);
}

export function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
