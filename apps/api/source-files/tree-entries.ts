import type { ManifestDocument } from '#contracts';
import type { TreeEntryView } from '#contracts/http/index';
import { languageOf } from '#ingest/parse/languages';
import { TimeSlices } from '#platform';
import type { PathMatcher } from '#platform/patterns/glob';

export interface TreeSelection {
  /** Folder without a slash at its end; empty for the root. */
  readonly folder: string;
  /** Levels below the folder. */
  readonly depth: number;
  /** Selects files by their whole path. */
  readonly matches: PathMatcher;
}

/**
 * Returns the folders and files below a folder in the order of their paths; a folder counts the
 * selected files below it, at any depth.
 */
export async function treeEntries(
  documents: readonly ManifestDocument[],
  { folder, depth, matches }: TreeSelection,
): Promise<TreeEntryView[]> {
  const slices = new TimeSlices();
  const folders = new Map<string, { -readonly [Key in keyof TreeEntryView]: TreeEntryView[Key] }>();
  const entries: TreeEntryView[] = [];
  for (const document of documents) {
    if (slices.isUsedUp) await slices.pause();
    const ends = levelEnds(document.path, folder);
    if (ends === undefined || !matches(document.path)) continue;
    for (const end of ends.slice(0, depth)) {
      const path = document.path.slice(0, end);
      const known = folders.get(path);
      if (known) known.files += 1;
      else {
        const entry = folderEntry(path);
        folders.set(path, entry);
        entries.push(entry);
      }
    }
    if (ends.length < depth) entries.push(fileEntry(document));
  }
  return entries;
}

/** Scheme and host of a URL, which are one level. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i;

/** Returns the ends of a path's folders below a folder; undefined for a path outside of it. */
function levelEnds(path: string, folder: string): number[] | undefined {
  if (folder !== '' && !path.startsWith(`${folder}/`)) return undefined;
  const ends: number[] = [];
  const origin = ORIGIN.exec(path)?.[0].length ?? 0;
  const start = folder === '' ? origin : folder.length + 1;
  for (let at = path.indexOf('/', start); at !== -1; at = path.indexOf('/', at + 1)) ends.push(at);
  return ends;
}

function folderEntry(path: string) {
  return { path, kind: 'folder' as const, files: 1, language: null, skipped: null };
}

function fileEntry({ path, skipped }: ManifestDocument): TreeEntryView {
  const language = skipped === undefined ? languageOf(path, '').language : null;
  return { path, kind: 'file', files: 1, language, skipped: skipped ?? null };
}
