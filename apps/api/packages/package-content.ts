import { Inject, Injectable } from '@nestjs/common';

import {
  type PackageAbout,
  packageDefinition,
  packageSourceName,
  type PackageVersion,
} from '#contracts';
import { nextEpisode, packageDecider, type PackageState, sourceDecider } from '#domain';
import type { ResolvedPackage } from '#ingest';
import { packageSourceId } from '#ingest/packages/package-source-id';
import { redactUrls } from '#ingest/redact/redact-urls';
import { CLOCK, type Clock, uuidv5, uuidv7 } from '#platform';

import { Projected } from '../write/projected.js';
import { OwnerCommands } from './owner-commands.js';

/** A package whose content a source holds, or will. */
export interface HeldPackage {
  readonly packageId: string;
  readonly ownerTenantId: string;
  readonly sourceId: string;
}

export interface HoldOptions {
  readonly requestId: string;
  /**
   * Record the use even if one was recorded this hour: no process drops the package in between
   * without seeing it.
   */
  readonly always: boolean;
}

/**
 * Content of a release never changes; that it is still there is confirmed so often, which renews
 * its freshness.
 */
const CONFIRM_EVERY_SECONDS = 7 * 86_400;

/**
 * Makes sure that a package has a source. Package and source are two appends in a fixed order, each
 * safe to repeat. If this process dies between them, the next request makes the second. All ids are
 * derived from the release.
 */
@Injectable()
export class PackageContent {
  constructor(
    private readonly commands: OwnerCommands,
    private readonly projected: Projected,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async hold(resolved: ResolvedPackage, options: HoldOptions): Promise<HeldPackage> {
    const { ownerTenantId } = resolved;
    const packageId = packageSourceId(resolved, ownerTenantId);
    const sourceId = await this.use(packageId, resolved, options);
    await this.registerSource({ packageId, ownerTenantId, sourceId }, resolved, options);
    return { packageId, ownerTenantId, sourceId };
  }

  private async use(
    packageId: string,
    resolved: ResolvedPackage,
    options: HoldOptions,
  ): Promise<string> {
    const { ecosystem, name, version, ownerTenantId } = resolved;
    const { requestId, always } = options;
    const { state, position } = await this.commands.run({
      ownerTenantId,
      requestId,
      commandId: uuidv7(),
      decider: packageDecider,
      stream: `package-${packageId}`,
      decide: (current) => {
        const data = {
          package_id: packageId,
          release: { ecosystem, name, version },
          about: aboutOf(resolved),
          source_id: nextSourceId(packageId, current),
          used_at: this.clock.now().toISOString(),
          always,
        };
        return packageDecider.decide({ type: 'UsePackage', data }, current);
      },
    });
    if (state.status === 'absent') throw new Error(`Package ${packageId} was not registered`);
    await this.projected.reached('packages', position);
    return state.source_id;
  }

  private async registerSource(
    { packageId, ownerTenantId, sourceId }: HeldPackage,
    release: PackageVersion,
    { requestId }: HoldOptions,
  ): Promise<void> {
    const data = {
      source_id: sourceId,
      name: packageSourceName(release),
      definition: packageDefinition(release),
      audience: { kind: 'linked', package_id: packageId } as const,
      sync_interval_seconds: CONFIRM_EVERY_SECONDS,
    };
    await this.commands.run({
      ownerTenantId,
      requestId,
      decider: sourceDecider,
      commandId: uuidv5('register-package-source', sourceId),
      stream: `source-${sourceId}`,
      decide: (current) => sourceDecider.decide({ type: 'RegisterSource', data }, current),
    });
  }
}

/** A removed source never comes back, so that content which is fetched again gets another. */
function nextSourceId(packageId: string, state: PackageState): string {
  const episode = nextEpisode(state);
  return episode === 1 ? packageId : uuidv5('package-source', packageId, String(episode));
}

/** Shortens a text of the registry for lists. */
function aboutOf({ description, homepage, license, ...release }: ResolvedPackage): PackageAbout {
  return {
    description: shortened(description, 1_000),
    homepage:
      homepage !== null && /^https?:\/\//i.test(homepage) && homepage.length <= 1_000
        ? redactUrls(homepage)
        : null,
    license: shortened(license, 200),
    notices: noticesOf(release),
  };
}

/** Returns the notices of the registry about a release, as sentences. */
export function noticesOf({
  deprecated,
  yanked,
}: Pick<ResolvedPackage, 'deprecated' | 'yanked'>): string[] {
  return [
    ...(deprecated === null ? [] : [sentence('Deprecated by its author', deprecated)]),
    ...(yanked === null ? [] : [sentence('Withdrawn from its registry', yanked)]),
  ];
}

function sentence(what: string, why: string): string {
  const reported = shortened(why, 500);
  return reported ? `${what}: ${reported}` : what;
}

/** Control characters, of which people's text may be full, become blanks. */
function shortened<Text extends string | null>(text: Text, most: number): Text {
  if (text === null) return text;
  const plain = text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').trim();
  return (plain.length <= most ? plain : `${plain.slice(0, most - 1).toWellFormed()}…`) as Text;
}
