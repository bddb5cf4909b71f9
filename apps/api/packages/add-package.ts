import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { FootnoteError } from '#contracts';
import type { AddPackageBody, PackageLinkView } from '#contracts/http/index';
import { packageLinkDecider } from '#domain';
import { packageSourceId } from '#ingest/packages/package-source-id';
import { type Config, uuidv5 } from '#platform';
import { listPackageLinks } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, CONFIG, READ_MODEL } from '../engines/engines.js';
import { KnownLinks } from '../package-links/known-links.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { PackageContent } from './package-content.js';
import { PackageResolutions } from './package-resolutions.js';
import { PackageSyncs } from './package-syncs.js';
import { packageLinkViews } from './package-views.js';

export interface AddedPackage {
  readonly link: PackageLinkView;
  /** True if this very command made the link. */
  readonly isNew: boolean;
}

/** Links a release to the caller's tenant, and has it indexed. */
export class AddPackage extends Command<AddedPackage> {
  constructor(
    readonly caller: Caller,
    readonly body: Readonly<AddPackageBody>,
  ) {
    super();
  }
}

/**
 * Makes the link first, then records a use of the package. The process that drops unlinked packages
 * finds either the link or a package that has changed, and leaves it. A package that was dropped
 * before is indexed again.
 */
@Handles(AddPackage)
export class AddPackageHandler implements ICommandHandler<AddPackage> {
  constructor(
    private readonly identities: CommandIdentities,
    private readonly commands: StreamCommands,
    private readonly resolutions: PackageResolutions,
    private readonly content: PackageContent,
    private readonly syncs: PackageSyncs,
    private readonly links: KnownLinks,
    private readonly projected: Projected,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller, body }: AddPackage): Promise<AddedPackage> {
    const identity = await this.identities.of(caller, body);
    const resolved = await this.resolutions.of(caller.tenantId, body);
    const { ecosystem, name, version, ownerTenantId } = resolved;
    const packageId = packageSourceId(resolved, ownerTenantId);
    this.refuseTooMany(caller.tenantId, packageId);
    const linkId = uuidv5('package-link', caller.tenantId, packageId);
    const data = {
      link_id: linkId,
      package_id: packageId,
      owner_tenant_id: ownerTenantId,
      ecosystem,
      name,
      version,
    };
    const { events, position, metadata } = await this.commands.run({
      caller,
      identity,
      stream: `packagelink-${linkId}`,
      decider: packageLinkDecider,
      expected: 'any',
      decide: (current) => packageLinkDecider.decide({ type: 'LinkPackage', data }, current),
    });
    const held = await this.content.hold(resolved, { requestId: caller.requestId, always: true });
    const jobId = await this.syncs.ensure(held, { requestId: caller.requestId, again: false });
    if (position !== null) {
      await Promise.all([
        this.projected.reached('package_links', position),
        this.links.projection.waitFor(position, PROJECTION_WAIT_MS),
      ]);
    }
    const shown = await this.shown(caller.tenantId, linkId);
    const decided = {
      link_id: linkId,
      package_id: packageId,
      ecosystem,
      name,
      version,
      status: 'pending' as const,
    };
    const link = shown ?? { ...decided, created_at: metadata?.occurred_at ?? '' };
    return { link: { ...link, job_id: jobId }, isNew: events.length > 0 };
  }

  /** By what this process knows: who links at many at once may come a few above. */
  private refuseTooMany(tenantId: string, packageId: string): void {
    const { packages } = this.links.of(tenantId);
    const { maxLinks } = this.config.packageSearch;
    if (packages.has(packageId) || packages.size < maxLinks) return;
    throw new FootnoteError(
      'rate_limited',
      `A tenant links at most ${maxLinks} packages; remove a link first`,
      {
        retryAfter: 60,
      },
    );
  }

  private async shown(tenantId: string, link_id: string): Promise<PackageLinkView | undefined> {
    const { links } = await this.readModel.ask(listPackageLinks, tenantId, {
      skip: 0,
      limit: 1,
      link_id,
    });
    const [view] = await packageLinkViews(this.readModel, tenantId, links);
    return view;
  }
}
