import { ArchiveRefusedError } from './archive-refused.js';

/** Maximum length of a path in bytes, and maximum number of its parts. */
const LONGEST = 4_096;
const DEEPEST = 100;

/**
 * Control characters, which no reader can show, backslashes, and the replacement character for
 * bytes that were not text.
 */
// eslint-disable-next-line no-control-regex
const UNREADABLE = /[\u0000-\u001f\u007f\ufffd\\]/;

/**
 * Returns the path of an entry within its archive, without `.` and doubled slashes. Returns null
 * for a name that is not readable text; such entries are omitted.
 *
 * @throws ArchiveRefusedError for a name that points outside of the archive on any system, or that
 * exceeds the limits on length or depth.
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
 * Returns true if a link points to a path inside its archive.
 *
 * @param path of the link, as {@link entryPath} returns it.
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
