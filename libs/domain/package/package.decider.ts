import type { Decider, PackageAbout, PackageDropReason, PackageEvent } from '#contracts';

import { defineStream } from '../define-stream.js';
import { sameValue } from '../same-value.js';

/** One release of a package. */
interface Release {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
}

/**
 * Records a request for the content of a release. The release is held from then on and counts as
 * used.
 */
export interface UsePackage {
  readonly type: 'UsePackage';
  readonly data: {
    readonly package_id: string;
    readonly release: Release;
    /** Metadata from its registry; null if the registry was not queried. */
    readonly about: PackageAbout | null;
    /** The source that holds the content if no other source does; see {@link nextEpisode}. */
    readonly source_id: string;
    /** ISO 8601. */
    readonly used_at: string;
    /**
     * Records the use whatever was recorded before, so that a concurrent drop of the package
     * conflicts.
     */
    readonly always: boolean;
  };
}

/**
 * Drops the content that a source holds. It has no effect if another source, or none, holds it now.
 */
export interface DropPackage {
  readonly type: 'DropPackage';
  readonly data: { readonly source_id: string; readonly reason: PackageDropReason };
}

export type PackageCommand = UsePackage | DropPackage;

export interface KnownPackage {
  readonly status: 'held' | 'dropped';
  readonly package_id: string;
  readonly release: Release;
  readonly about: PackageAbout;
  /** The source that holds the content, or held it last. */
  readonly source_id: string;
  /** Number of times that the content was fetched; 1 at first. */
  readonly episode: number;
  /** ISO 8601, compared by its hour. Null: no use was recorded since the package is held. */
  readonly used_at: string | null;
}

export type PackageState = { readonly status: 'absent' } | KnownPackage;

/** Stream `package-<id>`: the metadata of a release, and the source that holds its content. */
export const packageDecider: Decider<PackageCommand, PackageState, PackageEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const packageStreams = defineStream({
  pattern: 'package-<package_id>',
  decider: packageDecider,
  commands: { UsePackage: true, DropPackage: true },
  events: {
    PackageRegistered: true,
    PackageDescribed: true,
    PackageUsed: true,
    PackageDropped: true,
    PackageRestored: true,
  },
});

/**
 * Returns the number of the source that would hold the content if it were fetched again. Removed
 * sources are never reused.
 */
export function nextEpisode(state: PackageState): number {
  return state.status === 'absent' ? 1 : state.episode + 1;
}

function decide(command: PackageCommand, state: PackageState): readonly PackageEvent[] {
  switch (command.type) {
    case 'UsePackage':
      return use(command, state);
    case 'DropPackage': {
      const { source_id, reason } = command.data;
      if (state.status !== 'held' || state.source_id !== source_id) return [];
      return [
        { type: 'PackageDropped', data: { package_id: state.package_id, source_id, reason } },
      ];
    }
  }
}

function use({ data }: UsePackage, state: PackageState): readonly PackageEvent[] {
  const { package_id, source_id, used_at, release, about } = data;
  if (state.status === 'absent') {
    const said = about ?? { description: null, homepage: null, license: null, notices: [] };
    return [{ type: 'PackageRegistered', data: { package_id, source_id, ...release, ...said } }];
  }
  const described: PackageEvent[] =
    about === null || sameValue(about, state.about)
      ? []
      : [{ type: 'PackageDescribed', data: { package_id, ...about } }];
  if (state.status === 'dropped') {
    return [{ type: 'PackageRestored', data: { package_id, source_id } }, ...described];
  }
  const isNews = data.always || hourOf(used_at) > hourOf(state.used_at ?? '');
  return isNews
    ? [...described, { type: 'PackageUsed', data: { package_id, used_at } }]
    : described;
}

function hourOf(instant: string): string {
  return instant.slice(0, 'yyyy-mm-ddThh'.length);
}

function evolve(state: PackageState, event: PackageEvent): PackageState {
  if (event.type === 'PackageRegistered') {
    if (state.status !== 'absent') return state;
    const { package_id, source_id, ecosystem, name, version, ...about } = event.data;
    const release = { ecosystem, name, version };
    return { status: 'held', package_id, release, about, source_id, episode: 1, used_at: null };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'PackageDescribed': {
      const { description, homepage, license, notices } = event.data;
      return { ...state, about: { description, homepage, license, notices } };
    }
    case 'PackageUsed':
      return { ...state, used_at: event.data.used_at };
    case 'PackageDropped':
      return { ...state, status: 'dropped' };
    case 'PackageRestored': {
      const { source_id } = event.data;
      return { ...state, status: 'held', source_id, episode: state.episode + 1, used_at: null };
    }
    default:
      return state;
  }
}
