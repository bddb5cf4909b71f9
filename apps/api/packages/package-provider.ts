import { Inject, Injectable } from '@nestjs/common';

import type { PackageVersion } from '#contracts';
import type { PackageReleaseFields } from '#contracts/http/index';
import type { ResolvedPackage } from '#ingest';
import { packageSourceId } from '#ingest/packages/package-source-id';
import { CLOCK, type Clock, type Config } from '#platform';

import type { Caller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { LiveSources } from '../sources/live-sources.js';
import { type HeldContent, KnownPackages } from './known-packages.js';
import { PackageContent } from './package-content.js';
import { PackageJobs } from './package-jobs.js';
import { type AskedRelease, isAway, PackageResolutions } from './package-resolutions.js';
import { PackageSyncs } from './package-syncs.js';
import { PackageUses } from './package-uses.js';
import { WaitingSearches } from './waiting-searches.js';

/** A package that searches can look into. */
export interface ProvidedPackage {
  readonly packageId: string;
  readonly sourceId: string;
  readonly release: PackageVersion;
  /** Null while the registry is away. */
  readonly resolved: ResolvedPackage | null;
  /** True if it was indexed before. */
  readonly cached: boolean;
}

/** Makes packages searchable: indexed before, or fetched and indexed now. */
@Injectable()
export class PackageProvider {
  constructor(
    private readonly resolutions: PackageResolutions,
    private readonly packages: KnownPackages,
    private readonly content: PackageContent,
    private readonly syncs: PackageSyncs,
    private readonly jobs: PackageJobs,
    private readonly uses: PackageUses,
    private readonly waiting: WaitingSearches,
    private readonly liveSources: LiveSources,
    private readonly contentGaps: ContentGaps,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns the release that a request names, and waits as long as package search does.
   * @throws FootnoteError as {@link ensureIndexed}.
   */
  requested(
    caller: Caller,
    { ecosystem, package_name: name, version }: Readonly<PackageReleaseFields>,
  ): Promise<ProvidedPackage> {
    const withinMs = this.config.packageSearch.searchSeconds * 1_000;
    return this.ensureIndexed(caller, { ecosystem, name, version }, withinMs);
  }

  /**
   * @param withinMs maximum wait for the package; its job continues afterwards, for the next
   * request.
   * @throws FootnoteError of the package errors in the catalogue; `package_timeout` where it is not
   * indexed in time.
   */
  async ensureIndexed(
    caller: Caller,
    asked: AskedRelease,
    withinMs: number,
  ): Promise<ProvidedPackage> {
    const deadline = this.clock.monotonic() + withinMs;
    const resolved = await this.resolved(caller.tenantId, asked);
    if ('sourceId' in resolved) return resolved;
    const packageId = packageSourceId(resolved, resolved.ownerTenantId);
    const live = this.live(packageId);
    if (live) {
      this.uses.note(packageId, resolved, caller.requestId);
      return { packageId, sourceId: live.sourceId, release: resolved, resolved, cached: true };
    }
    const sourceId = await this.index(caller, resolved, deadline);
    return { packageId, sourceId, release: resolved, resolved, cached: false };
  }

  /** While a registry is away, a release that is named as it is held is searched all the same. */
  private async resolved(
    tenantId: string,
    asked: AskedRelease,
  ): Promise<ResolvedPackage | ProvidedPackage> {
    try {
      return await this.resolutions.of(tenantId, asked);
    } catch (error) {
      const held = isAway(error) ? this.heldRelease(tenantId, asked) : undefined;
      if (!held) throw error;
      return held;
    }
  }

  private heldRelease(
    tenantId: string,
    { ecosystem, name, version }: AskedRelease,
  ): ProvidedPackage | undefined {
    // A registry of the tenant's own may have another package of the same name.
    const hasOwn = this.config.packages.privateRegistries.some(
      (each) => each.ecosystem === ecosystem && each.tenants.includes(tenantId),
    );
    if (version === undefined || hasOwn) return undefined;
    const release = { ecosystem, name, version };
    const packageId = packageSourceId(release);
    const live = this.live(packageId);
    return live && { packageId, sourceId: live.sourceId, release, resolved: null, cached: true };
  }

  private live(packageId: string): HeldContent | undefined {
    const held = this.packages.get(packageId);
    const live = held && this.liveSources.one(held.ownerTenantId, held.sourceId);
    return live !== undefined && !this.contentGaps.isLost(live) ? held : undefined;
  }

  /** Has the package indexed, by one job for all who wait. */
  private async index(
    caller: Caller,
    resolved: ResolvedPackage,
    deadline: number,
  ): Promise<string> {
    const release = this.waiting.take(caller.tenantId);
    try {
      const { requestId } = caller;
      const held = await this.content.hold(resolved, { requestId, always: false });
      const live = this.liveSources.one(held.ownerTenantId, held.sourceId);
      const again = live !== undefined && this.contentGaps.isLost(live);
      const jobId = await this.syncs.ensure(held, { requestId, again });
      await this.jobs.published(jobId, deadline);
      return held.sourceId;
    } finally {
      release();
    }
  }
}
