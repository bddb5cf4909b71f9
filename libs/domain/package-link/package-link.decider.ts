import { type Decider, FootnoteError, type PackageLinkEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface LinkPackage {
  readonly type: 'LinkPackage';
  readonly data: {
    readonly link_id: string;
    readonly package_id: string;
    readonly owner_tenant_id: string;
    readonly ecosystem: string;
    readonly name: string;
    readonly version: string;
  };
}

export interface UnlinkPackage {
  readonly type: 'UnlinkPackage';
  readonly data: Readonly<Record<string, never>>;
}

export type PackageLinkCommand = LinkPackage | UnlinkPackage;

export type PackageLinkState =
  | { readonly status: 'absent' }
  | (LinkPackage['data'] & { readonly status: 'linked' | 'unlinked'; readonly episode: number });

/** Stream `packagelink-<id>`: records whether a tenant links a package. */
export const packageLinkDecider: Decider<PackageLinkCommand, PackageLinkState, PackageLinkEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const packageLinkStreams = defineStream({
  pattern: 'packagelink-<link_id>',
  decider: packageLinkDecider,
  commands: { LinkPackage: true, UnlinkPackage: true },
  events: { PackageLinked: true, PackageUnlinked: true },
});

function decide(command: PackageLinkCommand, state: PackageLinkState): readonly PackageLinkEvent[] {
  switch (command.type) {
    case 'LinkPackage': {
      if (state.status === 'linked') return [];
      const episode = state.status === 'absent' ? 1 : state.episode + 1;
      return [{ type: 'PackageLinked', data: { ...command.data, episode } }];
    }
    case 'UnlinkPackage': {
      if (state.status !== 'linked')
        throw new FootnoteError('package_link_not_found', 'Link not found');
      const { link_id, package_id, episode } = state;
      return [{ type: 'PackageUnlinked', data: { link_id, package_id, episode } }];
    }
  }
}

function evolve(state: PackageLinkState, event: PackageLinkEvent): PackageLinkState {
  switch (event.type) {
    case 'PackageLinked':
      return { status: 'linked', ...event.data };
    case 'PackageUnlinked':
      return state.status === 'linked' ? { ...state, status: 'unlinked' } : state;
    default:
      return state;
  }
}
