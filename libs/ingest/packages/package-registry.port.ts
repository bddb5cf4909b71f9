import type { Ecosystem, PackageVersion } from '#contracts';

import type { ArchiveFormat } from '../archives/scan-archive.js';

/** Request for a release on behalf of a tenant. */
export interface PackageQuery {
  /**
   * Requesting tenant: packages of a private registry are for the tenants that the operator names.
   */
  readonly tenantId: string;
  readonly ecosystem: Ecosystem;
  /** Name in the spelling of the user: `Zope.Interface` finds `zope-interface`. */
  readonly name: string;
  /**
   * Exact version. Absent: the latest that is neither a pre-release nor withdrawn, or the nearest
   * to that.
   */
  readonly version?: string | undefined;
}

/**
 * A digest that an archive must have: `sha512`, `sha256`, or `sha1` where the registry has nothing
 * better.
 */
export interface ArchiveDigest {
  readonly algorithm: 'sha512' | 'sha384' | 'sha256' | 'sha1';
  /** Lower-case hex. */
  readonly hex: string;
}

/** One way to get the content of a release. */
export interface PackageArchive {
  readonly url: string;
  readonly format: ArchiveFormat;
  /** Prefix of every path in it: `true` for one folder of any name, or that exact text. */
  readonly strip?: true | string;
  /**
   * `source` as its author wrote it, `built` for installing, `binary` with compiled parts for one
   * platform.
   */
  readonly content: 'source' | 'built' | 'binary';
  /** Null if the registry names no digest: then only the archive's own checksums exist. */
  readonly digest: ArchiveDigest | null;
  /** Bytes, packed; null if the registry does not report them. */
  readonly size: number | null;
  /** Bytes, unpacked, as the registry reports them. */
  readonly unpackedSize?: number | null;
}

/** A release as its registry describes it. */
export interface ResolvedPackage extends PackageVersion {
  /** `public`, or the tenant whose private registry has the release: its source belongs there. */
  readonly ownerTenantId: string;
  readonly description: string | null;
  readonly homepage: string | null;
  /** License, as an SPDX expression where the registry has one. */
  readonly license: string | null;
  /** Notice of the author against further use; the release is still available. */
  readonly deprecated: string | null;
  /** Reason for the withdrawal, "" if nobody gave one; the exact version is still available. */
  readonly yanked: string | null;
  /** Best first; never empty. */
  readonly archives: readonly PackageArchive[];
}

/** Lookup of releases, by ecosystem and tenant. */
export interface PackageRegistry {
  /**
   * Describes a release, from memory if the same request is recent.
   *
   * @throws StageFailure that {@link packageProblemOf} reads: name or version rejected, not found,
   * registry unavailable (with the time of the next try, if known) or too slow. Rejects with the
   * signal's reason once it is aborted.
   */
  resolve(query: PackageQuery, signal: AbortSignal): Promise<ResolvedPackage>;
}
