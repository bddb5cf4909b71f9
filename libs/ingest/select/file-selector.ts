import type { TimeSlices } from '#platform';
import { GlobList, MAX_PATH } from '#platform/patterns/glob-list';
import { lastParts } from '#platform/patterns/glob-syntax';

import type { SkipReason } from '../parse/content-skip.js';
import { carriesSecret } from '../redact/redact-secrets.js';
import { secretMark } from '../redact/secret-files.js';
import {
  BINARY_NAME,
  GENERATED_NAME,
  LOCK_FILES,
  MINIFIED_NAME,
  VENDORED_FOLDERS,
} from './file-names.js';
import { outputFolderOf } from './output-folders.js';

export interface FileSelectorOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Most bytes of a file. */
  readonly maxFileBytes: number;
  /** Folders that builders wrote, as {@link OutputFolders} finds them; default none. */
  readonly outputs?: ReadonlySet<string>;
}

/**
 * Decision on a file before its content is read. `read`; `unselected`: the patterns do not select
 * it; or a reason to skip it that is counted.
 */
export type FileDecision = 'read' | 'unselected' | SkipReason;

/**
 * A decision, and whether an include pattern names exactly this file ({@link
 * FileSelector.isNamed}).
 */
export interface FileJudgment {
  readonly decision: FileDecision;
  readonly named: boolean;
}

export interface ListedFile {
  readonly path: string;
  /** Bytes; null if unknown because the server left the file out for its size. */
  readonly size: number | null;
  readonly tooLarge?: true;
}

interface Include {
  readonly pattern: string;
  /** File names at the end of the pattern, including wildcards. */
  readonly names: readonly string[];
}

/**
 * Decides by path and size which files of a tree are read. An include pattern that names skipped
 * files overrides a default skip. `vendor/acme/**` reads that vendored folder and `*.min.js` the
 * minified files, while `**` and `*.js` read neither. The same applies to `.env` and key files; a
 * path that is itself a secret is never read.
 *
 * @throws RangeError for a pattern that cannot be used.
 */
export class FileSelector {
  private readonly includes: readonly Include[];
  private readonly included: GlobList;
  private readonly excluded: GlobList;
  private readonly outputs: ReadonlySet<string>;

  constructor(private readonly options: FileSelectorOptions) {
    this.includes = options.include.map((pattern) => ({ pattern, names: lastParts(pattern) }));
    this.included = new GlobList(options.include);
    this.excluded = new GlobList(options.exclude);
    this.outputs = options.outputs ?? new Set();
  }

  /** Counts steps of the pattern automata so far, for tests and measurements of the work. */
  get steps(): number {
    return this.included.steps + this.excluded.steps;
  }

  /** Decides at once. Loops over many files use {@link judge}. */
  decide(file: ListedFile): FileDecision {
    const { path } = file;
    return this.decided(file, this.included.matching(path), () => this.excluded.matches(path));
  }

  /** Decides like {@link decide}, and yields to the event loop whenever a slice is used up. */
  async judge(file: ListedFile, slices: TimeSlices, signal?: AbortSignal): Promise<FileJudgment> {
    const { path } = file;
    const including = await this.included.matchingSliced(path, slices, signal);
    const excluding = await this.excluded.matchingSliced(path, slices, signal);
    const decision = this.decided(file, including, () => excluding.size > 0);
    return { decision, named: decision !== 'unselected' && this.namedBy(path, including) };
  }

  /**
   * Returns whether an include pattern names exactly this file. Its name in the pattern has no
   * wildcard, or has the mark of a generated, minified or secret file. The file is then read
   * whatever its content.
   */
  async isNamed(path: string, slices: TimeSlices, signal?: AbortSignal): Promise<boolean> {
    return this.namedBy(path, await this.included.matchingSliced(path, slices, signal));
  }

  private decided(
    file: ListedFile,
    matching: ReadonlySet<number>,
    isExcluded: () => boolean,
  ): FileDecision {
    const { path } = file;
    if (!this.included.isEmpty && matching.size === 0) return 'unselected';
    // A path that is too long for the matcher cannot be tested against patterns.
    if (isExcluded() || (path.length > MAX_PATH && !this.excluded.isEmpty)) return 'unselected';
    const reason = this.reasonByName(path, this.includesOf(matching));
    if (reason !== undefined) return reason;
    if (file.tooLarge === true || (file.size ?? 0) > this.options.maxFileBytes) return 'too_large';
    return 'read';
  }

  private namedBy(path: string, matching: ReadonlySet<number>): boolean {
    if (matching.size === 0) return false;
    const name = fileName(path);
    const including = this.includesOf(matching);
    const mark = derivedName(name)?.mark;
    return (
      including.some(({ names }) => names.includes(name)) ||
      (mark !== undefined && named(including, mark))
    );
  }

  private includesOf(matching: ReadonlySet<number>): readonly Include[] {
    return [...matching].map((index) => this.includes[index] as Include);
  }

  private reasonByName(path: string, including: readonly Include[]): SkipReason | undefined {
    const name = fileName(path);
    const folder = this.foreignFolder(path);
    if (
      folder !== undefined &&
      !including.some(({ pattern }) => pattern.split('/').includes(folder))
    )
      return 'vendored';
    if (BINARY_NAME.test(name)) return 'binary';
    if (carriesSecret(path)) return 'secret';
    const derived = derivedName(name);
    return derived !== undefined && !named(including, derived.mark) ? derived.reason : undefined;
  }

  /**
   * Returns the name of the first folder of the path that contains files of others or of builders.
   */
  private foreignFolder(path: string): string | undefined {
    const output = outputFolderOf(path);
    const outputEnd = output !== undefined && this.outputs.has(output) ? output.length : -1;
    let from = 0;
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', from)) {
      const name = path.slice(from, end);
      if (VENDORED_FOLDERS.has(name) || end === outputEnd) return name;
      from = end + 1;
    }
    return undefined;
  }
}

function named(including: readonly Include[], mark: string): boolean {
  return including.some(({ pattern }) => pattern.toLowerCase().includes(mark.toLowerCase()));
}

/** Returns the reason that a name gives to skip a file, and the part of the name that shows it. */
function derivedName(
  name: string,
): { readonly reason: SkipReason; readonly mark: string } | undefined {
  const minified = MINIFIED_NAME.exec(name)?.[0];
  if (minified !== undefined) return { reason: 'minified', mark: minified };
  const secret = secretMark(name);
  if (secret !== undefined) return { reason: 'secret', mark: secret };
  const generated = LOCK_FILES.has(name) ? name : GENERATED_NAME.exec(name)?.[0];
  return generated === undefined ? undefined : { reason: 'generated', mark: generated };
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
