import { Inject } from '@nestjs/common';
import { Query, type IQueryHandler } from '@nestjs/cqrs';

import type { NoEvidence, PackageVersion } from '#contracts';
import { SearchBody, type PackageSearchBody, type PackageSearchResponseView } from '#contracts/http/index';
import type { ResolvedPackage } from '#ingest';
import { packageSourceId } from '#ingest/packages/package-source-id';
import { CLOCK, type Clock, type Config } from '#platform';

import type { Caller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';
import { HybridSearch } from '../search/answer/hybrid-search.js';
import { PresentMoment } from '../search/answer/search-moment.js';
import { Receipts, type Receipted } from '../search/receipt/receipts.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { LiveSources } from '../sources/live-sources.js';
import { ofPackage } from '../sources/visible-sources.js';
import { Handles } from '../use-cases/handles.js';
import { KnownPackages } from './known-packages.js';
import { noticesOf, PackageContent } from './package-content.js';
import { PackageJobs } from './package-jobs.js';
import { isAway, PackageResolutions, type AskedRelease } from './package-resolutions.js';
import { PackageSyncs } from './package-syncs.js';
import { PackageUses } from './package-uses.js';
import { WaitingSearches } from './waiting-searches.js';

/** No budget is asked for: fifty chunks never come near it. */
const MAX_TOKENS = 32_000;

interface FoundRelease {
  readonly packageId: string;
  readonly release: PackageVersion;
  /** What its registry says of it; null while that is away. */
  readonly resolved: ResolvedPackage | null;
}

/** Searches one release of a package, which is indexed first where it is not yet; charged and receipted as a search. */
export class SearchPackage extends Query<Receipted<PackageSearchResponseView | NoEvidence>> {
  constructor(
    readonly caller: Caller,
    readonly request: Readonly<PackageSearchBody>,
  ) {
    super();
  }
}

@Handles(SearchPackage)
export class SearchPackageHandler implements IQueryHandler<SearchPackage> {
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
    private readonly searches: HybridSearch,
    private readonly present: PresentMoment,
    private readonly receipts: Receipts,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws FootnoteError as the catalogue tells of packages; nothing is charged then. */
  async execute({ caller, request }: SearchPackage): Promise<Receipted<PackageSearchResponseView | NoEvidence>> {
    const began = this.clock.monotonic();
    const { query, package_name: name, ecosystem, version, top_k } = request;
    let found: (FoundRelease & { readonly cached: boolean }) | undefined;
    const search = async () => {
      const release = await this.find(caller.tenantId, { ecosystem, name, version });
      const { packageId, resolved: fresh } = release;
      const isCached = this.isLive(packageId);
      if (fresh && isCached) this.uses.note(packageId, fresh, caller.requestId);
      else if (fresh) await this.index(caller, fresh, began);
      found = { ...release, cached: isCached };
      const asked = Object.assign(new SearchBody(), { query, top_k, max_tokens: MAX_TOKENS });
      return this.searches.run(asked, () => this.present.of(caller.tenantId, ofPackage(packageId)));
    };
    const { answer, receiptId, rateLimit } = await this.receipts.metered(caller, search);
    if (!found) throw new Error('A package was searched that nobody resolved');
    const { resolved, release, cached } = found;
    if (!('results' in answer)) return { answer, receiptId, rateLimit };
    const results = answer.results.map(({ content, score, token_count, citation }) => ({
      ...{ content, score, token_count, citation },
    }));
    const warnings = resolved ? noticesOf(resolved) : [];
    const shown: PackageSearchResponseView = {
      query,
      package: { ecosystem: release.ecosystem, name: release.name, version: release.version },
      results,
      total_results: results.length,
      cached,
      search_time_ms: Math.round((this.clock.monotonic() - began) * 1_000) / 1_000,
      ...(warnings.length > 0 && { warnings }),
    };
    return { answer: shown, receiptId, rateLimit };
  }

  /** While a registry is away, a release that is named as it is held is searched all the same. */
  private async find(tenantId: string, asked: AskedRelease): Promise<FoundRelease> {
    try {
      const resolved = await this.resolutions.of(tenantId, asked);
      return { packageId: packageSourceId(resolved, resolved.ownerTenantId), release: resolved, resolved };
    } catch (error) {
      const held = isAway(error) ? this.heldRelease(tenantId, asked) : undefined;
      if (!held) throw error;
      return held;
    }
  }

  private heldRelease(tenantId: string, { ecosystem, name, version }: AskedRelease): FoundRelease | undefined {
    // A registry of the tenant's own may have another package of the same name.
    const hasOwn = this.config.packages.privateRegistries.some(
      (each) => each.ecosystem === ecosystem && each.tenants.includes(tenantId),
    );
    if (version === undefined || hasOwn) return undefined;
    const release = { ecosystem, name, version };
    const packageId = packageSourceId(release);
    return this.isLive(packageId) ? { packageId, release, resolved: null } : undefined;
  }

  private isLive(packageId: string): boolean {
    const held = this.packages.get(packageId);
    const live = held && this.liveSources.one(held.ownerTenantId, held.sourceId);
    return live !== undefined && !this.contentGaps.isLost(live);
  }

  /** Has the package indexed, by one job for all who wait. */
  private async index(caller: Caller, resolved: ResolvedPackage, began: number): Promise<void> {
    const release = this.waiting.take(caller.tenantId);
    try {
      const { requestId } = caller;
      const held = await this.content.hold(resolved, { requestId, always: false });
      const live = this.liveSources.one(held.ownerTenantId, held.sourceId);
      const again = live !== undefined && this.contentGaps.isLost(live);
      const jobId = await this.syncs.ensure(held, { requestId, again });
      await this.jobs.published(jobId, began + this.config.packageSearch.searchSeconds * 1_000);
    } finally {
      release();
    }
  }
}
