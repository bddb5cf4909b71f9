import type { Citation } from '#contracts';

import { oneLine } from './one-line.js';

const VERSION_LENGTH = 12;

/** Returns a citation as one line: `source path:lines @version symbol`. */
export function citationLine(citation: Citation): string {
  const { source_name, path, start_line, end_line, version_ref, symbol } = citation;
  const lines = start_line === undefined ? '' : `:${start_line}-${end_line ?? start_line}`;
  const parts = [source_name, `${path}${lines}`, `@${shortVersion(version_ref)}`, symbol ?? ''];
  return parts.filter(Boolean).map(oneLine).join(' ');
}

/** Returns the first digits of a commit, and any other version whole. */
export function shortVersion(version: string): string {
  return /^[0-9a-f]{40,64}$/.test(version) ? version.slice(0, VERSION_LENGTH) : version;
}
