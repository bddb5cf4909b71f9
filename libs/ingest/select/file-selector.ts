import { compileGlob, lastParts, type PathMatcher } from '#platform/patterns/glob';
import { carriesSecret } from '../redact/redact-secrets.js';
import type { SkipReason } from './content-skip.js';
import {
  BINARY_NAME,
  BUILDER_TRACE,
  BUILD_MANIFESTS,
  GENERATED_NAME,
  LOCK_FILES,
  MINIFIED_NAME,
  OUTPUT_FILE,
  OUTPUT_FOLDERS,
  VENDORED_FOLDERS,
} from './file-names.js';
import { secretMark } from './secret-files.js';

export interface FileSelectorOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Bytes. */
  readonly maxFileBytes: number;
  /** Every path of the tree: whether `dist` or `build` is output is told by its neighbours. */
  readonly paths: readonly string[];
  /** Folders of build output are judged by somebody else: in what is published there may be nothing but them. */
  readonly keepsOutputs?: true;
}

/**
 * What to do with a file before its content is seen: `read` it, leave it because the patterns do not select it
 * (`unselected`), or skip it for a reason that is counted.
 */
export type FileDecision = 'read' | 'unselected' | SkipReason;

export interface ListedFile {
  readonly path: string;
  /** Bytes; null where unknown because the server left the file out for its size. */
  readonly size: number | null;
  readonly tooLarge?: true;
}

interface Include {
  readonly pattern: string;
  readonly matches: PathMatcher;
  /** The file names, wildcards and all, that the pattern ends in. */
  readonly names: readonly string[];
}

/**
 * Decides by path and size which files of a tree are read. Default skips yield to an include pattern that names what
 * would be skipped: `vendor/acme/**` reads that vendored folder, `*.min.js` the minified files, while `**` and `*.js`
 * read neither. `.env` and key files are skipped like these; a path that is itself a secret is never read.
 *
 * @throws RangeError for a pattern that cannot be used.
 */
export class FileSelector {
  private readonly include: readonly Include[];
  private readonly excluded: readonly PathMatcher[];
  private readonly outputs: ReadonlySet<string>;

  constructor(private readonly options: FileSelectorOptions) {
    this.include = options.include.map((pattern) => ({
      pattern,
      matches: compileGlob(pattern),
      names: lastParts(pattern),
    }));
    this.excluded = options.exclude.map(compileGlob);
    this.outputs = options.keepsOutputs ? new Set() : outputFolders(options.paths);
  }

  decide(file: ListedFile): FileDecision {
    const { path } = file;
    const including = this.include.filter(({ matches }) => matches(path));
    if (this.include.length > 0 && including.length === 0) return 'unselected';
    if (this.excluded.some((matches) => matches(path))) return 'unselected';
    const reason = this.reasonByName(path, including);
    if (reason !== undefined) return reason;
    if (file.tooLarge === true || (file.size ?? 0) > this.options.maxFileBytes) return 'too_large';
    return 'read';
  }

  /**
   * True when an include pattern gives this very file, without a wildcard in its name, or the mark by which its name is
   * known as generated, minified or secret: it is read whatever it holds.
   */
  isNamed(path: string): boolean {
    const name = fileName(path);
    const including = this.include.filter(({ matches }) => matches(path));
    const mark = derivedName(name)?.mark;
    return including.some(({ names }) => names.includes(name)) || (mark !== undefined && named(including, mark));
  }

  private reasonByName(path: string, including: readonly Include[]): SkipReason | undefined {
    const parts = path.split('/');
    const name = parts.at(-1) ?? '';
    const folder = this.foreignFolder(parts);
    if (folder !== undefined && !including.some(({ pattern }) => pattern.split('/').includes(folder)))
      return 'vendored';
    if (BINARY_NAME.test(name)) return 'binary';
    if (carriesSecret(path)) return 'secret';
    const derived = derivedName(name);
    return derived !== undefined && !named(including, derived.mark) ? derived.reason : undefined;
  }

  private foreignFolder(parts: readonly string[]): string | undefined {
    let above = '';
    for (const part of parts.slice(0, -1)) {
      above = above === '' ? part : `${above}/${part}`;
      if (VENDORED_FOLDERS.has(part) || this.outputs.has(above)) return part;
    }
    return undefined;
  }
}

function named(including: readonly Include[], mark: string): boolean {
  return including.some(({ pattern }) => pattern.toLowerCase().includes(mark.toLowerCase()));
}

/** What a name tells of who wrote the file or what for, and the part that tells it. */
function derivedName(name: string): { readonly reason: SkipReason; readonly mark: string } | undefined {
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

/**
 * Folders called `dist`, `build`, `out` or `target` that a builder wrote: a build manifest lies beside them and they
 * hold nothing but what builders write. A `build` of plain scripts is kept; only `dist` is judged without a trace such
 * as a source map.
 */
function outputFolders(paths: readonly string[]): ReadonlySet<string> {
  const manifests = new Set<string>();
  const candidates = new Map<string, { pure: boolean; traced: boolean }>();
  for (const path of paths) {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    if (BUILD_MANIFESTS.has(name)) manifests.add(parts.join('/'));
    const depth = parts.findIndex((part) => OUTPUT_FOLDERS.has(part));
    if (depth === -1) continue;
    const folder = parts.slice(0, depth + 1).join('/');
    const seen = candidates.get(folder) ?? { pure: true, traced: false };
    seen.pure &&= OUTPUT_FILE.test(name);
    seen.traced ||= BUILDER_TRACE.test(name);
    candidates.set(folder, seen);
  }
  const outputs = new Set<string>();
  for (const [folder, { pure, traced }] of candidates) {
    const at = folder.lastIndexOf('/');
    const beside = manifests.has(at === -1 ? '' : folder.slice(0, at));
    if (beside && pure && (traced || folder.slice(at + 1) === 'dist')) outputs.add(folder);
  }
  return outputs;
}
