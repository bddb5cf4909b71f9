import { TimeSlices } from '#platform';

import { FileSelector, type FileSelectorOptions, type ListedFile } from './file-selector.js';
import { OutputFolders } from './output-folders.js';
import { SkipCounter } from './skip-counter.js';

export interface SelectFilesOptions extends Omit<FileSelectorOptions, 'outputs'> {
  /**
   * Whether the caller classifies folders of build output: a published package may contain nothing
   * else.
   */
  readonly keepsOutputs?: true;
  readonly signal?: AbortSignal | undefined;
  /** Default: slices of a few milliseconds. */
  readonly slices?: TimeSlices;
}

export interface SelectedFiles<File> {
  /** Selected files, in the given order. */
  readonly selected: readonly { readonly file: File; readonly named: boolean }[];
  /**
   * Files left out by name or size: `files_skipped` and its parts. Files left out by the source's
   * patterns: `files_not_selected`.
   */
  readonly skipped: Readonly<Record<string, number>>;
}

/**
 * Decides by name and size which files of a tree are read. It works a few milliseconds at a time;
 * other work of the process runs in between.
 *
 * @param files all files of the tree.
 * @throws RangeError for a pattern that cannot be used.
 */
export async function selectFiles<File extends ListedFile>(
  files: readonly File[],
  { keepsOutputs, signal, slices = new TimeSlices(), ...options }: SelectFilesOptions,
): Promise<SelectedFiles<File>> {
  const folders = new OutputFolders();
  for (const { path } of keepsOutputs ? [] : files) {
    if (slices.isUsedUp) await slices.pause(signal);
    folders.add(path);
  }
  const selector = new FileSelector({ ...options, outputs: folders.finish() });
  const skips = new SkipCounter();
  let notSelected = 0;
  const selected: { file: File; named: boolean }[] = [];
  for (const file of files) {
    if (slices.isUsedUp) await slices.pause(signal);
    const { decision, named } = await selector.judge(file, slices, signal);
    if (decision === 'unselected') notSelected += 1;
    else if (decision !== 'read') skips.add(decision);
    else selected.push({ file, named });
  }
  return {
    selected,
    skipped: { ...skips.details(), ...(notSelected > 0 && { files_not_selected: notSelected }) },
  };
}
