import type { PackageSettings } from '#platform';
import { type SitePage, WebSite } from '#test/support/web-site';

import { digest, tarGz, zip } from './archives.js';

/** Files by their path in the package, or the very archive. */
export type ReleaseContent = Readonly<Record<string, string>> | Uint8Array;

export interface NpmRelease {
  readonly content: ReleaseContent;
  /** Fields of its document besides, `dist` included. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly dist?: Readonly<Record<string, unknown>>;
}

interface PypiFile {
  readonly filename: string;
  readonly content: ReleaseContent;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface PypiRelease {
  readonly files: readonly PypiFile[];
  readonly info?: Readonly<Record<string, unknown>>;
}

/**
 * The registries of all ecosystems on loopback, as far as packages are read from them. Documents
 * have an ETag; `site.seen` lists the requests, and `site.put` replaces any answer.
 */
export class RegistrySite {
  private constructor(readonly site: WebSite) {}

  static async start(): Promise<RegistrySite> {
    return new RegistrySite(await WebSite.start());
  }

  stop(): Promise<void> {
    return this.site.stop();
  }

  /** The configuration of a service that uses this site. */
  get environment(): Readonly<Record<string, string>> {
    return {
      NPM_REGISTRY_URL: this.site.url('/npm'),
      PYPI_URL: this.site.url('/python'),
      CARGO_INDEX_URL: this.site.url('/crates'),
      MAVEN_REPOSITORY_URL: this.site.url('/maven'),
      GO_PROXY_URL: this.site.url('/go'),
    };
  }

  /** The same for who needs no process. */
  settings(more: Partial<PackageSettings> = {}): PackageSettings {
    const {
      NPM_REGISTRY_URL = '',
      PYPI_URL = '',
      CARGO_INDEX_URL = '',
      MAVEN_REPOSITORY_URL = '',
      GO_PROXY_URL = '',
    } = this.environment;
    return {
      registries: {
        npm: { url: NPM_REGISTRY_URL },
        pypi: { url: PYPI_URL },
        cargo: { url: CARGO_INDEX_URL },
        maven: { url: MAVEN_REPOSITORY_URL },
        go: { url: GO_PROXY_URL },
      },
      privateRegistries: [],
      maxBytes: 10_000_000,
      maxUnpackedBytes: 30_000_000,
      maxFiles: 1_000,
      timeoutMs: 5_000,
      ...more,
    };
  }

  /** Paths of archives that were sent, in order. */
  get downloads(): string[] {
    return this.site.seen
      .filter(({ path }) => /\.(?:tgz|tar\.gz|whl|zip|jar|crate)$/.test(path))
      .map(({ path }) => path);
  }

  /** All releases of an npm package. @param at where the registry is, below this site. */
  npm(
    name: string,
    releases: Readonly<Record<string, NpmRelease>>,
    latest = Object.keys(releases).at(-1),
    at = '/npm',
  ): void {
    const documents: Record<string, Readonly<Record<string, unknown>>> = {};
    const path = name.replace('/', '%2f');
    for (const [version, { content, fields, dist }] of Object.entries(releases)) {
      const bytes = archiveOf(content, (files) => tarGz(below('package', files)));
      const tarball = `${at}/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`;
      const integrity = `sha512-${digest('sha512', bytes, 'base64')}`;
      const shasum = digest('sha1', bytes);
      documents[version] = {
        name,
        version,
        ...fields,
        dist: { tarball: this.site.url(tarball), integrity, shasum, ...dist },
      };
      this.put({ [tarball]: bytes, [`${at}/${path}/${version}`]: json(documents[version]) });
    }
    const tagged = latest === undefined ? undefined : documents[latest];
    this.put({
      [`${at}/${path}`]: json({ name, 'dist-tags': { latest }, versions: documents }),
      [`${at}/${path}/latest`]: tagged === undefined ? null : json(tagged),
    });
  }

  /**
   * Adds all releases of a Python package, under its normalized name.
   * @param current the version that the index shows.
   */
  pypi(
    name: string,
    releases: Readonly<Record<string, PypiRelease>>,
    current = Object.keys(releases).at(-1) ?? '',
  ): void {
    const files = Object.entries(releases).map(([version, release]) => {
      const urls = release.files.map(({ filename, content, fields }) => {
        const bytes = archiveOf(content, filename.endsWith('.tar.gz') ? tarGz : zip);
        const url = `/python-files/${filename}`;
        this.put({ [url]: bytes });
        const packagetype = filename.endsWith('.whl') ? 'bdist_wheel' : 'sdist';
        const digests = { sha256: digest('sha256', bytes) };
        return {
          filename,
          packagetype,
          url: this.site.url(url),
          size: bytes.byteLength,
          digests,
          yanked: false,
          ...fields,
        };
      });
      return [version, urls] as const;
    });
    const document = (version: string, urls: unknown) => ({
      info: { name, version, ...releases[version]?.info },
      urls,
    });
    const all = Object.fromEntries(files);
    for (const [version, urls] of files)
      this.put({ [`/python/pypi/${name}/${version}/json`]: json(document(version, urls)) });
    this.put({
      [`/python/pypi/${name}/json`]: json({ ...document(current, all[current]), releases: all }),
    });
  }

  /** All releases of a crate. */
  cargo(
    name: string,
    releases: Readonly<Record<string, { content: ReleaseContent; yanked?: boolean }>>,
  ): void {
    const lines = Object.entries(releases).map(([vers, { content, yanked = false }]) => {
      const bytes = archiveOf(content, (files) => tarGz(below(`${name}-${vers}`, files)));
      this.put({ [`/crate-files/${name}-${vers}.crate`]: bytes });
      return JSON.stringify({ name, vers, cksum: digest('sha256', bytes), yanked });
    });
    const prefix =
      name.length <= 2
        ? name.length
        : name.length === 3
          ? `3/${name[0] ?? ''}`
          : `${name.slice(0, 2)}/${name.slice(2, 4)}`;
    this.put({
      '/crates/config.json': json({ dl: this.site.url('/crate-files/{crate}-{version}.crate') }),
      [`/crates/${prefix}/${name}`]: `${lines.join('\n')}\n`,
    });
  }

  /** All releases of an artifact, by `group:artifact`. */
  maven(
    name: string,
    releases: Readonly<
      Record<string, { sources?: ReleaseContent; jar?: ReleaseContent; pom?: string }>
    >,
  ): void {
    const [group = '', artifact = ''] = name.split(':');
    const path = `/maven/${group.replaceAll('.', '/')}/${artifact}`;
    for (const [version, { sources, jar, pom = '<project/>' }] of Object.entries(releases)) {
      const base = `${path}/${version}/${artifact}-${version}`;
      this.put({ [`${base}.pom`]: pom });
      for (const [ending, content] of [
        ['-sources.jar', sources],
        ['.jar', jar],
      ] as const) {
        if (content === undefined) continue;
        const bytes = archiveOf(content, zip);
        this.put({ [`${base}${ending}`]: bytes, [`${base}${ending}.sha1`]: digest('sha1', bytes) });
      }
    }
    const versions = Object.keys(releases).map((version) => `<version>${version}</version>`);
    this.put({
      [`${path}/maven-metadata.xml`]: `<metadata><versioning><versions>${versions.join('')}</versions></versioning></metadata>`,
    });
  }

  /** All versions of a Go module. @param module its `go.mod`. */
  go(
    name: string,
    releases: Readonly<Record<string, ReleaseContent>>,
    module = `module ${name}\n`,
  ): void {
    const escaped = (text: string) =>
      text.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
    const path = `/go/${escaped(name)}`;
    for (const [version, content] of Object.entries(releases)) {
      this.put({
        [`${path}/@v/${escaped(version)}.info`]: json({ Version: version }),
        [`${path}/@v/${escaped(version)}.mod`]: module,
        [`${path}/@v/${escaped(version)}.zip`]: archiveOf(content, (files) =>
          zip(below(`${name}@${version}`, files)),
        ),
      });
    }
    this.put({ [`${path}/@v/list`]: `${Object.keys(releases).join('\n')}\n` });
  }

  put(pages: Readonly<Record<string, SitePage | null>>): void {
    this.site.put(pages);
  }
}

function archiveOf(
  content: ReleaseContent,
  pack: (files: Readonly<Record<string, string>>) => Uint8Array,
): Uint8Array {
  return content instanceof Uint8Array ? content : pack(content);
}

function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]),
  );
}

function json(value: unknown): string {
  return JSON.stringify(value);
}
