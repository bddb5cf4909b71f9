import { createHash } from 'node:crypto';

import { packageFailure, type PackageProblem, PUBLIC_TENANT } from '#contracts';
import type {
  Fetcher,
  FetchRequest,
  PackageQuery,
  PackageRegistry,
  ResolvedPackage,
  SourceDocument,
} from '#ingest';

/** A release as its author published it. */
export interface PublishedRelease {
  readonly files: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly deprecated?: string;
  /** The tenant whose registry has it. Default: the registry of everybody. */
  readonly ownerTenantId?: string;
}

/**
 * A registry in memory with the fetcher of its packages: what is looked up and downloaded is
 * counted, and can be held up.
 */
export class MemoryPackages implements PackageRegistry, Fetcher {
  /** By ecosystem, name and version; the last version of a name is the latest. */
  private readonly releases = new Map<string, PublishedRelease>();
  /** Look-ups that came through to the registry. */
  lookUps = 0;
  /** Packages whose content was read, in order. */
  readonly downloads: string[] = [];
  /** Every look-up fails so. */
  lookUpFails: PackageProblem | null = null;
  /** Every download fails so; a registry that is away is one that may come back. */
  downloadFails: PackageProblem | null = null;
  /** Downloads wait for it. */
  gate: Promise<void> = Promise.resolve();

  publish(ecosystem: string, name: string, version: string, release: PublishedRelease): void {
    this.releases.set(`${ecosystem}/${name}@${version}`, release);
  }

  async resolve(query: FetchRequest): Promise<Awaited<ReturnType<Fetcher['resolve']>>>;
  async resolve(query: PackageQuery, signal: AbortSignal): Promise<ResolvedPackage>;
  async resolve(query: FetchRequest | PackageQuery, signal?: AbortSignal): Promise<unknown> {
    return 'definition' in query ? this.version(query) : this.release(query, signal);
  }

  private release(
    { tenantId, ecosystem, name, version }: PackageQuery,
    signal?: AbortSignal,
  ): ResolvedPackage {
    signal?.throwIfAborted();
    this.lookUps += 1;
    if (this.lookUpFails) throw failure(this.lookUpFails);
    const own = [...this.releases].filter(
      ([key, { ownerTenantId = tenantId }]) =>
        key.startsWith(`${ecosystem}/${name}@`) && ownerTenantId === tenantId,
    );
    if (own.length === 0) throw failure('package_not_found');
    const found =
      version === undefined ? own.at(-1) : own.find(([key]) => key.endsWith(`@${version}`));
    if (!found) throw failure('package_version_not_found');
    const [key, { description = null, deprecated = null, ownerTenantId = PUBLIC_TENANT }] = found;
    return {
      ecosystem,
      name,
      version: key.slice(key.lastIndexOf('@') + 1),
      ownerTenantId,
      description,
      homepage: 'https://example.com/home',
      license: 'MIT',
      deprecated,
      yanked: null,
      archives: [
        {
          url: 'https://example.com/a.tgz',
          format: 'tar.gz',
          content: 'source',
          digest: null,
          size: null,
        },
      ],
    };
  }

  private async version({ definition, signal }: FetchRequest) {
    const { ecosystem, name, version } = definition.package ?? {
      ecosystem: '',
      name: '',
      version: '',
    };
    const key = `${ecosystem}/${name}@${version}`;
    const open = async () => {
      await Promise.race([
        this.gate,
        new Promise((_, reject) => signal.addEventListener('abort', reject)),
      ]);
      if (this.downloadFails) throw failure(this.downloadFails);
      this.downloads.push(key);
      const files = Object.entries(this.releases.get(key)?.files ?? {}).sort(([a], [b]) =>
        a < b ? -1 : 1,
      );
      const contents = new Map(files.map(([path, text]) => [`${name}/${path}`, text]));
      const documents = [...contents].map(([path, text]): SourceDocument => {
        const hash = createHash('sha256').update(text).digest('hex');
        return { path, kind: 'file', version: hash, size: Buffer.byteLength(text) };
      });
      return {
        ref: version,
        documents,
        skipped: {},
        async *read(asked: readonly SourceDocument[]) {
          for (const { path, kind } of asked)
            yield { path, kind, bytes: Buffer.from(contents.get(path) ?? '') };
        },
        close: () => Promise.resolve(),
      };
    };
    return { ref: version, open };
  }
}

function failure(problem: PackageProblem) {
  const passes = problem === 'registry_unavailable' || problem === 'registry_timeout';
  return packageFailure(problem, `It is so: ${problem}`, passes, { url: 'https://example.com/a' });
}
