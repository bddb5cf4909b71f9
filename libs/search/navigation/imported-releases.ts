import { grammarOf } from '#code-search';
import { type Ecosystem, packageOfSource } from '#contracts';
import type { IndexedSymbol } from '#search-index';

import type { ScopedSource } from '../search-scope.js';
import { npmModules } from './npm-modules.js';
import type { ReferringFile } from './referring-file.js';

/** A module as a file of a release sees it. */
export interface ReleaseModule {
  readonly from: ReferringFile;
  /** Modules in the syntax of the language; the first that has the name counts. */
  readonly modules: readonly string[];
}

/** Returns the text of a file of a source in scope; undefined if it has none. */
export type ReadText = (sourceId: string, path: string) => Promise<string | undefined>;

/** A release in scope. */
interface Release {
  readonly sourceId: string;
  /** Name of the package, with which its paths begin. */
  readonly name: string;
}

const ECOSYSTEM_OF: Readonly<Record<string, Ecosystem>> = {
  javascript: 'npm',
  typescript: 'npm',
  tsx: 'npm',
  python: 'pypi',
  java: 'maven',
  go: 'go',
  rust: 'cargo',
};
/** Folders of a source distribution that hold its modules. */
const PYTHON_FOLDERS = ['', 'src/', 'lib/'];
/** First folders of a release that are tried. */
const MOST_ROOTS = 4;

/**
 * Leads imports of one source to releases of packages in scope, which the audience function already
 * chose. Of a package with several linked versions, each version is meant.
 */
export class ImportedReleases {
  private readonly releases = new Map<Ecosystem, Release[]>();
  private readonly descriptions = new Map<string, Promise<string | undefined>>();

  constructor(
    sources: readonly ScopedSource[],
    private readonly readText: ReadText,
  ) {
    for (const { source } of sources) {
      if (source.audience.kind !== 'linked') continue;
      const { ecosystem, name } = packageOfSource(source.name) ?? {};
      if (ecosystem === undefined || name === undefined) continue;
      const known = this.releases.get(ecosystem) ?? [];
      this.releases.set(ecosystem, [...known, { sourceId: source.sourceId, name }]);
    }
  }

  /**
   * Returns the modules of releases that an import of a file can mean.
   * @param definitionsOf returns the definitions of the name in a source.
   */
  async of(
    { sourceId, language }: ReferringFile,
    module: string,
    definitionsOf: (sourceId: string) => readonly IndexedSymbol[],
  ): Promise<readonly ReleaseModule[]> {
    const grammar = grammarOf(language);
    const ecosystem = ECOSYSTEM_OF[grammar];
    const found: ReleaseModule[] = [];
    for (const release of (ecosystem && this.releases.get(ecosystem)) ?? []) {
      if (release.sourceId === sourceId && ecosystem !== 'npm') continue;
      const paths = definitionsOf(release.sourceId).map(({ path }) => path);
      for (const { path, modules } of await this.modulesOf(ecosystem, release, module, paths))
        found.push({ from: { sourceId: release.sourceId, path, language }, modules });
    }
    return found;
  }

  private async modulesOf(
    ecosystem: Ecosystem | undefined,
    { sourceId, name }: Release,
    module: string,
    paths: readonly string[],
  ): Promise<readonly { readonly path: string; readonly modules: readonly string[] }[]> {
    switch (ecosystem) {
      case 'npm': {
        if (module !== name && !module.startsWith(`${name}/`)) return [];
        const path = `${name}/package.json`;
        const description = await this.text(sourceId, path);
        return [{ path, modules: npmModules(description, module.slice(name.length + 1)) }];
      }
      case 'pypi':
        return module.startsWith('.') ? [] : this.pythonModules(sourceId, module, paths);
      // A class of the default package would have any file of its name.
      case 'maven':
        return module.includes('.') ? [{ path: `${name}/A.java`, modules: [module] }] : [];
      case 'go':
        return module === name || module.startsWith(`${name}/`)
          ? [{ path: `${name}/a.go`, modules: [module] }]
          : [];
      case 'cargo': {
        const [crate = '', ...rest] = module.split('::');
        return crate === name.replaceAll('-', '_')
          ? [{ path: `${name}/src/lib.rs`, modules: [['crate', ...rest].join('::')] }]
          : [];
      }
      case undefined:
        return [];
    }
  }

  /**
   * Returns places from which a module of Python may be seen: the root of an installed package, or
   * the folders of a source distribution. Only releases that define the name have any.
   */
  private async pythonModules(sourceId: string, module: string, paths: readonly string[]) {
    const [first = ''] = module.split('.');
    const roots = [...new Set(paths.map((path) => path.split('/', 1)[0] ?? ''))];
    const found: { readonly path: string; readonly modules: readonly string[] }[] = [];
    for (const root of roots.slice(0, MOST_ROOTS)) {
      if (root === first) found.push({ path: 'a.py', modules: [`.${module}`] });
      // The folder is a package itself, so that nothing in it is a module of its own.
      if ((await this.text(sourceId, `${root}/__init__.py`)) !== undefined) continue;
      for (const folder of PYTHON_FOLDERS)
        found.push({ path: `${root}/${folder}a.py`, modules: [`.${module}`] });
    }
    return found;
  }

  private text(sourceId: string, path: string): Promise<string | undefined> {
    const key = `${sourceId}/${path}`;
    const known = this.descriptions.get(key) ?? this.readText(sourceId, path);
    this.descriptions.set(key, known);
    return known;
  }
}
