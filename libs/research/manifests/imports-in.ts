import type { ManifestEcosystem } from './manifest.types.js';

/** One import in a source text. */
export interface Import {
  /** Module as written: `werkzeug.routing`, `github.com/spf13/pflag`, `h2::client`. */
  readonly module: string;
  /** Imported names. */
  readonly names: readonly string[];
  /** Name of the module in the text; undefined if only names are imported. */
  readonly alias: string | undefined;
}

const MOST_IMPORTS = 100;
const PYTHON_FROM =
  /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]{0,2000})\)|([^\n#]{1,500}))/gm;
const PYTHON_IMPORT = /^[ \t]*import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+(\w+))?[ \t]*(?:#.*)?$/gm;
const JS_IMPORT = /\b(?:import|export)\s([^'";]{0,1000})\bfrom\s*['"]([^'"\n]{1,200})['"]/g;
const JS_REQUIRE =
  /\b(?:const|let|var)\s+(\w+|\{[^}]{0,1000}\})\s*=\s*require\(\s*['"]([^'"\n]{1,200})['"]\s*\)(?:\.(\w+))?/g;
const GO_IMPORT =
  /^[ \t]*(?:import[ \t]+)?([\w.]+[ \t]+)?"([\w.-]+(?:\/[\w.~-]+)+)"[ \t]*(?:\/\/.*)?$/gm;
const RUST_USE = /\buse\s+((?:::)?\w+(?:::\w+)*)(?:::\{([^;]{0,1000})\})?(?:\s+as\s+(\w+))?\s*;/g;
const JVM_IMPORT = /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+?)\.(\w+|\*)[ \t]*(?:;[ \t]*)?$/gm;

/** Returns the imports in a text of the ecosystem's languages, at most a hundred. */
export function importsIn(text: string, ecosystem: ManifestEcosystem): Import[] {
  return READERS[ecosystem](text).slice(0, MOST_IMPORTS);
}

/** Returns whether a module belongs to a package of that name. */
export function belongsTo(module: string, provided: string, ecosystem: ManifestEcosystem): boolean {
  switch (ecosystem) {
    case 'npm':
      return module === provided || module.startsWith(`${provided}/`);
    case 'go':
      return module === provided || module.startsWith(`${provided}/`);
    case 'pypi':
      return (module.split('.')[0] ?? '').toLowerCase().replaceAll('_', '-') === provided;
    case 'cargo':
      return module.replace(/^::/, '').split('::')[0] === provided;
    case 'maven': {
      const [group = '', artifact = ''] = provided.split(':');
      const parts = module.split('.');
      return module === group || module.startsWith(`${group}.`) || parts.includes(artifact);
    }
  }
}

/** Returns the name that code uses for a package without an import in sight. */
export function usualAlias(provided: string, ecosystem: ManifestEcosystem): string {
  const last = provided.split(/[/:]/).at(-1) ?? provided;
  return ecosystem === 'pypi' ? last.replaceAll('-', '_') : last;
}

const READERS: Record<ManifestEcosystem, (text: string) => Import[]> = {
  pypi: (text) => [
    ...Array.from(text.matchAll(PYTHON_FROM), ([, module = '', block, line]) => ({
      module,
      names: listed(block ?? line ?? ''),
      alias: undefined,
    })),
    ...Array.from(text.matchAll(PYTHON_IMPORT), ([, module = '', alias = module]) => ({
      module,
      names: [],
      alias,
    })),
  ],
  npm: (text) => [
    ...Array.from(text.matchAll(JS_IMPORT), ([, clause = '', module = '']) => ({
      module,
      names: listed(/(?<!\{)\{([^}]*)\}/.exec(clause)?.[1] ?? ''),
      alias: /^(?:\*\s+as\s+)?(\w+)/.exec(clause.replace(/^\s*type\s/, '').trim())?.[1],
    })),
    ...Array.from(text.matchAll(JS_REQUIRE), ([, bound = '', module = '', member]) => ({
      module,
      names: [
        ...(bound.startsWith('{') ? listed(bound.slice(1, -1)) : []),
        ...(member ? [member] : []),
      ],
      alias: bound.startsWith('{') ? undefined : bound,
    })),
  ],
  go: (text) =>
    Array.from(text.matchAll(GO_IMPORT), ([, alias, module = '']) => ({
      module,
      names: [],
      alias: alias?.trim() ?? module.split('/').at(-1),
    })),
  cargo: (text) =>
    Array.from(text.matchAll(RUST_USE), ([, path = '', block, alias]) => {
      const parts = path.replace(/^::/, '').split('::');
      const last = parts.at(-1) ?? '';
      return {
        module: path,
        names: block === undefined ? (parts.length > 1 ? [last] : []) : listed(block),
        alias: alias ?? last,
      };
    }),
  maven: (text) =>
    Array.from(text.matchAll(JVM_IMPORT), ([, module = '', name = '']) => ({
      module,
      names: name === '*' ? [] : [name],
      alias: undefined,
    })),
};

/** Returns the names of a list: `a, b as c, self` → `a`, `b`. */
function listed(list: string): string[] {
  return list
    .split(/[,{}\n]/)
    .map(
      (each) =>
        each
          .trim()
          .replace(/^type\s+/, '')
          .split(/[\s:]/)[0] ?? '',
    )
    .filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'self');
}
