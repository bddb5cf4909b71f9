import type { Ecosystem, PackageVersion } from '#contracts';

import type { ArchiveFormat } from '../archives/scan-archive.js';

/** Which release is asked for, and for whom. */
export interface PackageQuery {
  /** Who asks: packages of a private registry are for the tenants that the operator names. */
  readonly tenantId: string;
  readonly ecosystem: Ecosystem;
  /** As people write it: `Zope.Interface` finds `zope-interface`. */
  readonly name: string;
  /**
   * Exact. Absent: the latest that is no pre-release and not withdrawn, or what comes nearest to
   * that.
   */
  readonly version?: string | undefined;
}

/**
 * A digest that an archive must have: `sha512`, `sha256`, or `sha1` where the registry knows no
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
  /**
   * What stands before every path in it: `true` for one folder, whatever its name, or that very
   * text.
   */
  readonly strip?: true | string;
  /**
   * `source` as its author wrote it, `built` for installing, `binary` with compiled parts for one
   * platform.
   */
  readonly content: 'source' | 'built' | 'binary';
  /** Null where the registry names none: the archive's own checksums are all there is then. */
  readonly digest: ArchiveDigest | null;
  /** Bytes, packed; null where the registry does not say. */
  readonly size: number | null;
  /** Bytes, unpacked, as the registry says. */
  readonly unpackedSize?: number | null;
}

/** A release as its registry describes it. */
export interface ResolvedPackage extends PackageVersion {
  /**
   * `public`, or the tenant whose private registry has it: the source of the release belongs there.
   */
  readonly ownerTenantId: string;
  readonly description: string | null;
  readonly homepage: string | null;
  /** SPDX where the registry says it so. */
  readonly license: string | null;
  /** The author's notice that it should no longer be used; it is there all the same. */
  readonly deprecated: string | null;
  /** Why it was withdrawn, "" where nobody said; it is there for who names it. */
  readonly yanked: string | null;
  /** Best first; never empty. */
  readonly archives: readonly PackageArchive[];
}

/** Where releases are looked up, by ecosystem and tenant. */
export interface PackageRegistry {
  /**
   * Describes a release, from memory where that was asked a moment ago.
   *
   * @throws StageFailure that {@link packageProblemOf} reads: the name or version refused, not
   * found, the registry away (with when to ask again, where it says so) or too slow; the signal's
   * reason once it is aborted.
   */
  resolve(query: PackageQuery, signal: AbortSignal): Promise<ResolvedPackage>;
}
