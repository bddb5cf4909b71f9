import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { packageLinkDecider } from '#domain';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { KnownLinks } from '../package-links/known-links.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';

/** The tenant's searches cover the package no longer; it stays in the catalogue. */
export class RemovePackageLink extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly linkId: string,
  ) {
    super();
  }
}

@Handles(RemovePackageLink)
export class RemovePackageLinkHandler implements ICommandHandler<RemovePackageLink> {
  constructor(
    private readonly identities: CommandIdentities,
    private readonly commands: StreamCommands,
    private readonly projected: Projected,
    private readonly links: KnownLinks,
  ) {}

  async execute({ caller, linkId }: RemovePackageLink): Promise<void> {
    const absent = () => notFound('package_link_not_found', linkId);
    const { position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream: `packagelink-${requireId('package_link_not_found', linkId)}`,
      decider: packageLinkDecider,
      expected: 'existing',
      absent,
      decide: (current) => packageLinkDecider.decide({ type: 'UnlinkPackage', data: {} }, current),
    });
    await Promise.all([
      this.projected.reached('package_links', position),
      position !== null && this.links.projection.waitFor(position, PROJECTION_WAIT_MS),
    ]);
  }
}
