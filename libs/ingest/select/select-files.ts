import { setImmediate as breath } from 'node:timers/promises';

import { FileSelector, type FileSelectorOptions, type ListedFile } from './file-selector.js';
import { SkipCounter } from './skip-counter.js';

export interface SelectedFiles<File> {
  /** In the order given. */
  readonly selected: readonly { readonly file: File; readonly named: boolean }[];
  /** Files left out by name or size: `files_skipped` and its parts; by the source's patterns: `files_not_selected`. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** So many files are decided without a pause. */
const AT_ONCE = 1_000;

/**
 * Decides by name and size which files of a tree are read, a few milliseconds at a time: what else the process has to do
 * goes on in between.
 * @param files all files of the tree. @throws RangeError for a pattern that cannot be used.
 */
export async function selectFiles<File extends ListedFile>(
  files: readonly File[],
  options: Omit<FileSelectorOptions, 'paths'>,
): Promise<SelectedFiles<File>> {
  const selector = new FileSelector({ ...options, paths: files.map(({ path }) => path) });
  const skips = new SkipCounter();
  let notSelected = 0;
  const selected: { file: File; named: boolean }[] = [];
  for (const [index, file] of files.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await breath();
    const decision = selector.decide(file);
    if (decision === 'unselected') notSelected += 1;
    else if (decision !== 'read') skips.add(decision);
    else selected.push({ file, named: selector.isNamed(file.path) });
  }
  return { selected, skipped: { ...skips.details(), ...(notSelected > 0 && { files_not_selected: notSelected }) } };
}
