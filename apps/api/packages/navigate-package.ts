import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type {
  PackageDefinitionsQuery,
  PackageDefinitionsView,
  PackageReferencesQuery,
  PackageReferencesView,
  PackageSymbolsQuery,
} from '#contracts/http/index';
import {
  CodeNavigation,
  CodeReferences,
  type NavigationOutcome,
  type NavigationRequest,
  type SearchMoment,
} from '#search';

import type { Caller } from '../auth/caller.js';
import { receiptableNavigation } from '../code-navigation/navigation-receipt.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { Handles } from '../use-cases/handles.js';
import { ReleaseCode } from './release-code.js';
import { withoutRelease } from './without-release.js';

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
    private readonly releases: ReleaseCode,
    private readonly navigation: CodeNavigation,
    private readonly references: CodeReferences,
  ) {}

  /**
   * @throws FootnoteError of the package errors in the catalogue, `validation_failed` or
   * `content_not_found`; nothing is charged then.
   */
  execute({ caller, request, gone }: NavigatePackage): Promise<Receipted<PackageNavigationView>> {
    return this.releases.metered(
      caller,
      request,
      (momentOf, { sourceId }) => this.run(inRelease(request, sourceId), momentOf, gone),
      receiptableNavigation,
    );
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

/** Returns the request without the package. A place is in the source of the release. */
function inRelease(request: PackageNavigationRequest, sourceId: string): NavigationRequest {
  const rest = withoutRelease(request) as NavigationRequest;
  if (rest.operation === 'symbols') return rest;
  const hasPlace = [rest.path, rest.line, rest.column].some((part) => part !== undefined);
  return hasPlace ? { ...rest, source_id: sourceId } : rest;
}
