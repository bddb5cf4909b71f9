const RUN = /[\w.+@/-]+/g;

/**
 * Returns a function that gives the files which a text names. A name counts if it is a path of the
 * repository, or else the end of exactly one path. The end of several paths does not say which file
 * is meant, so it does not count.
 *
 * @param paths of all files of the repository at the commit
 */
export function namedFiles(paths: readonly string[]): (text: string) => string[] {
  const known = new Set(paths);
  const byName = Map.groupBy(paths, lastPart);
  const fileOf = (name: string): readonly string[] => {
    if (known.has(name)) return [name];
    const ends = (byName.get(lastPart(name)) ?? []).filter((path) => path.endsWith(`/${name}`));
    return ends.length === 1 ? ends : [];
  };
  return (text) => {
    const names = Array.from(text.matchAll(RUN), ([run]) => nameIn(run));
    // A word without a dot is more often a module or a folder than a file.
    const files = names.filter((name) => lastPart(name).includes('.')).flatMap(fileOf);
    return [...new Set(files)].sort();
  };
}

/** Removes what prose puts around a name: `./` before it and a full stop after it. */
function nameIn(run: string): string {
  return run.replace(/^(?:\.?\/)+/, '').replace(/[./-]$/, '');
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
