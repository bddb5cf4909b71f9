import type { DomainEvent, PackageDropReason } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';

/** The event types that the cache folds. */
export const PACKAGE_CACHE_TYPES = [
  'PackageRegistered',
  'PackageRestored',
  'PackageDescribed',
  'PackageUsed',
  'PackageDropped',
  'PackageLinked',
  'PackageUnlinked',
  'SourceSyncRequested',
  'SourceRemoved',
  'JobCompleted',
  'JobFailed',
  'JobCancelled',
] as const satisfies readonly DomainEvent['type'][];

/** Limits for packages that nobody links. */
export interface PackageCacheBounds {
  readonly chunks: number;
  readonly days: number;
}

/** A package whose content is held. */
export interface CachedPackage {
  readonly packageId: string;
  readonly ownerTenantId: string;
  readonly sourceId: string;
  /** Last use or publication, milliseconds since the epoch. */
  readonly usedAt: number;
  readonly chunks: number;
  /** A job of its source is pending or running. */
  readonly busy: boolean;
  /** Revision of its stream's last event: a drop is decided on this, and on nothing newer. */
  readonly revision: bigint;
}

export interface PackageToDrop extends CachedPackage {
  readonly reason: PackageDropReason;
}

/** Line of a snapshot. */
type CacheLine =
  | readonly ['package', Omit<CachedPackage, 'revision'> & { readonly revision: string }]
  | readonly ['source', sourceId: string, packageId: string]
  | readonly ['links', packageId: string, linkIds: readonly string[]]
  | readonly ['removal', sourceId: string, ownerTenantId: string];

const DAY_MS = 86_400_000;
/** A caller that waited for a package searches it right after it was published. */
const GRACE_MS = 60_000;

/**
 * The indexed packages, with the tenants that link them and their last use, folded from the log
 * into memory. Rebuilt from the start of the log at every start.
 */
export class PackageCache {
  private readonly held = new Map<string, CachedPackage>();
  /** The indexed packages, by source. */
  private readonly bySource = new Map<string, string>();
  /** A link may come before its package. */
  private readonly links = new Map<string, Set<string>>();
  /** Sources of dropped packages that are not removed yet, with whose they are. */
  readonly removals = new Map<string, string>();

  /** Returns the lines of a snapshot. */
  *save(): Generator<CacheLine> {
    for (const entry of this.held.values())
      yield ['package', { ...entry, revision: String(entry.revision) }];
    for (const [sourceId, packageId] of this.bySource) yield ['source', sourceId, packageId];
    for (const [packageId, links] of this.links) yield ['links', packageId, [...links]];
    for (const [sourceId, tenantId] of this.removals) yield ['removal', sourceId, tenantId];
  }

  /** Adds a line that {@link save} returned. */
  load(line: CacheLine): void {
    switch (line[0]) {
      case 'package':
        this.held.set(line[1].packageId, { ...line[1], revision: BigInt(line[1].revision) });
        return;
      case 'source':
        this.bySource.set(line[1], line[2]);
        return;
      case 'links':
        this.links.set(line[1], new Set(line[2]));
        return;
      case 'removal':
        this.removals.set(line[1], line[2]);
        return;
    }
  }

  clear(): void {
    for (const kept of [this.held, this.bySource, this.links, this.removals]) kept.clear();
  }

  apply(event: RecordedDomainEvent): void {
    switch (event.type) {
      case 'PackageRegistered':
      case 'PackageRestored':
        return this.hold(event, event.data.package_id, event.data.source_id);
      case 'PackageDescribed':
        return this.change(event.data.package_id, { revision: event.revision });
      case 'PackageUsed':
        return this.change(event.data.package_id, {
          usedAt: Date.parse(event.data.used_at),
          revision: event.revision,
        });
      case 'PackageDropped':
        return this.drop(event, event.data.package_id, event.data.source_id);
      case 'PackageLinked':
        this.links.set(
          event.data.package_id,
          this.linksOf(event.data.package_id).add(event.data.link_id),
        );
        return;
      case 'PackageUnlinked':
        this.linksOf(event.data.package_id).delete(event.data.link_id);
        return;
      case 'SourceSyncRequested':
        return this.change(this.bySource.get(event.data.source_id), { busy: true });
      case 'JobCompleted': {
        const { chunk_count: chunks, source_id } = event.data;
        const usedAt = Date.parse(event.metadata.occurred_at);
        return this.change(this.bySource.get(source_id), (entry) => ({
          busy: false,
          chunks,
          // A confirmation of what is there is no use.
          usedAt: entry.chunks === 0 ? Math.max(entry.usedAt, usedAt) : entry.usedAt,
        }));
      }
      case 'JobFailed':
      case 'JobCancelled':
        return this.change(this.bySource.get(event.data.source_id), { busy: false });
      case 'SourceRemoved':
        this.removals.delete(event.data.source_id);
        return;
      default:
        return;
    }
  }

  /**
   * Returns the packages to drop at a time, the least recently used first. Linked packages and
   * those with running work are excluded.
   */
  due(now: number, { chunks: most, days }: PackageCacheBounds): PackageToDrop[] {
    const unlinked = [...this.held.values()]
      .filter(({ packageId }) => this.linksOf(packageId).size === 0)
      .sort((a, b) => a.usedAt - b.usedAt);
    let total = unlinked.reduce((sum, { chunks }) => sum + chunks, 0);
    return unlinked.flatMap((entry) => {
      if (entry.busy) return [];
      const isUnused = entry.usedAt + days * DAY_MS <= now;
      const isInTheWay = total > most && entry.chunks > 0 && entry.usedAt + GRACE_MS <= now;
      if (!isUnused && !isInTheWay) return [];
      total -= entry.chunks;
      return [{ ...entry, reason: isUnused ? ('unused' as const) : ('room' as const) }];
    });
  }

  private hold(
    { metadata, revision }: RecordedDomainEvent,
    packageId: string,
    sourceId: string,
  ): void {
    const { tenant_id: ownerTenantId, occurred_at } = metadata;
    const usedAt = Date.parse(occurred_at);
    this.held.set(packageId, {
      packageId,
      ownerTenantId,
      sourceId,
      usedAt,
      chunks: 0,
      busy: false,
      revision,
    });
    this.bySource.set(sourceId, packageId);
  }

  private drop({ metadata }: RecordedDomainEvent, packageId: string, sourceId: string): void {
    this.removals.set(sourceId, metadata.tenant_id);
    this.bySource.delete(sourceId);
    if (this.held.get(packageId)?.sourceId === sourceId) this.held.delete(packageId);
  }

  private change(
    packageId: string | undefined,
    changes: Partial<CachedPackage> | ((entry: CachedPackage) => Partial<CachedPackage>),
  ): void {
    const entry = packageId === undefined ? undefined : this.held.get(packageId);
    if (!entry) return;
    this.held.set(entry.packageId, {
      ...entry,
      ...(typeof changes === 'function' ? changes(entry) : changes),
    });
  }

  private linksOf(packageId: string): Set<string> {
    return this.links.get(packageId) ?? new Set();
  }
}
