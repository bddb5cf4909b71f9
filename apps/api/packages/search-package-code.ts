import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { PackageCodeSearchBody, PackageCodeSearchView } from '#contracts/http/index';
import { CodeSearch, type CodeSearchLimits } from '#search';

import type { Caller } from '../auth/caller.js';
import { receiptableSearch } from '../code-search/code-receipt.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { Handles } from '../use-cases/handles.js';
import { ReleaseCode } from './release-code.js';
import { withoutRelease } from './without-release.js';

/**
 * Searches the text of one release exactly or by a regular expression. The release is indexed first
 * if necessary. The search is charged and receipted as a code search.
 */
export class SearchPackageCode extends Query<Receipted<PackageCodeSearchView>> {
  constructor(
    readonly caller: Caller,
    readonly request: Readonly<PackageCodeSearchBody>,
    readonly limits: Omit<CodeSearchLimits, 'recorded'> = {},
  ) {
    super();
  }
}

@Handles(SearchPackageCode)
export class SearchPackageCodeHandler implements IQueryHandler<SearchPackageCode> {
  constructor(
    private readonly releases: ReleaseCode,
    private readonly searches: CodeSearch,
  ) {}

  /**
   * @throws FootnoteError of the package errors in the catalogue, or `validation_failed`; nothing
   * is charged then.
   */
  execute({
    caller,
    request,
    limits,
  }: SearchPackageCode): Promise<Receipted<PackageCodeSearchView>> {
    return this.releases.metered(
      caller,
      request,
      (momentOf) => this.searches.run(withoutRelease(request), momentOf, limits),
      receiptableSearch,
    );
  }
}
