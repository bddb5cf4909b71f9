// The lock of the server package: the part of package-lock.json that a running service needs.

const KEPT_FIELDS = [
  'name',
  'version',
  'resolved',
  'integrity',
  'license',
  'bin',
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'engines',
  'os',
  'cpu',
  'libc',
  'hasInstallScript',
];

/**
 * Returns an npm-shrinkwrap.json for a manifest: exact versions and checksums of everything that
 * its dependencies reach in the lock of the project.
 * @param lock parsed package-lock.json.
 * @param manifest name, version, license, engines, bin, dependencies and optionalDependencies.
 * @param more entries of packages that the lock of the project does not have, by path.
 * @throws Error for a dependency without an entry.
 */
export function serverLock(lock, manifest, more) {
  const entries = { ...lock.packages, ...more };
  const root = { ...manifest };
  const required = reached(entries, root, false);
  const all = reached(entries, root, true);
  const packages = [...all].sort().map((path) => {
    const entry = Object.fromEntries(
      KEPT_FIELDS.filter((field) => field in entries[path]).map((field) => [
        field,
        entries[path][field],
      ]),
    );
    return [path, required.has(path) ? entry : { ...entry, optional: true }];
  });
  return {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(packages) },
  };
}

/** Returns the paths of all packages that a manifest reaches, with or without optional ones. */
function reached(entries, root, withOptional) {
  const paths = new Set();
  const open = [['', root]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }] =
      next;
    const wanted = Object.keys({ ...dependencies, ...(withOptional && optionalDependencies) });
    const optional = Object.keys(optionalDependencies ?? {});
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...wanted, ...peers]) {
      if (!withOptional && optional.includes(name)) continue;
      const path = found(entries, from, name);
      if (path === undefined) {
        if (optional.includes(name)) continue;
        throw new Error(`package-lock.json has no entry of ${name} for ${from || 'the server'}`);
      }
      if (paths.has(path)) continue;
      paths.add(path);
      open.push([path, entries[path]]);
    }
  }
  return paths;
}

/** Returns the path of the entry that Node finds for a name from a package. */
function found(entries, from, name) {
  for (let folder = from; ;) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in entries) return path;
    if (folder === '') return undefined;
    const end = folder.lastIndexOf('/node_modules/');
    folder = end < 0 ? '' : folder.slice(0, end);
  }
}
