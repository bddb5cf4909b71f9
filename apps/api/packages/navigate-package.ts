import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type {
  PackageDefinitionsQuery,
  PackageDefinitionsView,
  PackageReferencesQuery,
  PackageReferencesView,
  PackageSymbolsQuery,
} from '#contracts/http/index';
import type { Config } from '#platform';
import {
  CodeNavigation,
  CodeReferences,
  type NavigationOutcome,
  type NavigationRequest,
  ofPackage,
  type SearchMoment,
} from '#search';

import type { Caller } from '../auth/caller.js';
import { receiptableNavigation } from '../code-navigation/navigation-receipt.js';
import { CodeReceipts } from '../code-search/code-receipts.js';
import { CONFIG } from '../engines/engines.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { Handles } from '../use-cases/handles.js';
import { noticesOf } from './package-content.js';
import { PackageProvider, type ProvidedPackage } from './package-provider.js';

/** A request for symbols, definitions or references in one release. */
export type PackageNavigationRequest =
  | ({ readonly operation: 'symbols' } & Readonly<PackageSymbolsQuery>)
  | ({ readonly operation: 'definitions' } & Readonly<PackageDefinitionsQuery>)
  | ({ readonly operation: 'references' } & Readonly<PackageReferencesQuery>);

type PackageNavigationView = PackageDefinitionsView | PackageReferencesView;

/**
 * Finds symbols, definitions or references in one release of a package, which is indexed first if
 * necessary. It is charged and receipted as a code search.
 */
export class NavigatePackage extends Query<Receipted<PackageNavigationView>> {
  constructor(
    readonly caller: Caller,
    readonly request: PackageNavigationRequest,
    readonly gone?: AbortSignal,
  ) {
    super();
  }
}

@Handles(NavigatePackage)
export class NavigatePackageHandler implements IQueryHandler<NavigatePackage> {
  constructor(
    private readonly packages: PackageProvider,
    private readonly navigation: CodeNavigation,
    private readonly references: CodeReferences,
    private readonly receipts: CodeReceipts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @throws FootnoteError of the package errors in the catalogue, `validation_failed` or
   * `content_not_found`; nothing is charged then.
   */
  async execute({
    caller,
    request,
    gone,
  }: NavigatePackage): Promise<Receipted<PackageNavigationView>> {
    const { ecosystem, package_name: name, version } = request;
    const waitMs = this.config.packageSearch.searchSeconds * 1_000;
    let provided: ProvidedPackage | undefined;
    const { answer, receiptId, rateLimit } = await this.receipts.metered(
      caller,
      (momentOf) => this.run(inRelease(request, provided?.sourceId), momentOf, gone),
      receiptableNavigation,
      async () => {
        provided = await this.packages.ensureIndexed(caller, { ecosystem, name, version }, waitMs);
        return ofPackage(provided.packageId);
      },
    );
    if (!provided) throw new Error('A package was examined that nobody resolved');
    const { release, resolved, cached } = provided;
    const shown = {
      ...answer,
      package: { ecosystem: release.ecosystem, name: release.name, version: release.version },
      cached,
      warnings: [...(resolved ? noticesOf(resolved) : []), ...answer.warnings],
    };
    return { answer: shown, receiptId, rateLimit };
  }

  private run(
    request: NavigationRequest,
    momentOf: () => SearchMoment,
    gone: AbortSignal | undefined,
  ): Promise<NavigationOutcome> {
    return request.operation === 'references'
      ? this.references.run(request, momentOf, { gone })
      : this.navigation.run(request, momentOf, { gone });
  }
}

/** Fields that name the release. */
const RELEASE = new Set<string>(['package_name', 'ecosystem', 'version']);

/** Returns the request without the package. A place is in the source of the release. */
function inRelease(
  request: PackageNavigationRequest,
  sourceId: string | undefined,
): NavigationRequest {
  const rest = Object.fromEntries(
    Object.entries(request).filter(([field]) => !RELEASE.has(field)),
  ) as unknown as NavigationRequest;
  if (rest.operation === 'symbols' || sourceId === undefined) return rest;
  const hasPlace = [rest.path, rest.line, rest.column].some((part) => part !== undefined);
  return hasPlace ? { ...rest, source_id: sourceId } : rest;
}
