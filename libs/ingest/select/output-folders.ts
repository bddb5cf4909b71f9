import { BUILD_MANIFESTS, BUILDER_TRACE, OUTPUT_FILE, OUTPUT_FOLDERS } from './file-names.js';

/**
 * Finds folders called `dist`, `build`, `out` or `target` that a builder wrote. A build manifest is
 * in the same parent folder, and they contain nothing but build output. A `build` of plain scripts
 * is not one; only `dist` needs no trace such as a source map.
 */
export class OutputFolders {
  private readonly manifests = new Set<string>();
  private readonly candidates = new Map<string, { pure: boolean; traced: boolean }>();

  /** Adds the next path of the tree. */
  add(path: string): void {
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    if (BUILD_MANIFESTS.has(name)) this.manifests.add(slash === -1 ? '' : path.slice(0, slash));
    const folder = outputFolderOf(path);
    if (folder === undefined) return;
    const seen = this.candidates.get(folder) ?? { pure: true, traced: false };
    seen.pure &&= OUTPUT_FILE.test(name);
    seen.traced ||= BUILDER_TRACE.test(name);
    this.candidates.set(folder, seen);
  }

  /** Returns the folders, once every path was added. */
  finish(): ReadonlySet<string> {
    const outputs = new Set<string>();
    for (const [folder, { pure, traced }] of this.candidates) {
      const at = folder.lastIndexOf('/');
      const beside = this.manifests.has(at === -1 ? '' : folder.slice(0, at));
      if (beside && pure && (traced || folder.slice(at + 1) === 'dist')) outputs.add(folder);
    }
    return outputs;
  }
}

/** Returns the first folder of a path that has the name of an output folder. */
export function outputFolderOf(path: string): string | undefined {
  let from = 0;
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', from)) {
    if (OUTPUT_FOLDERS.has(path.slice(from, end))) return path.slice(0, end);
    from = end + 1;
  }
  return undefined;
}
