import { type IQueryHandler, Query, QueryBus } from '@nestjs/cqrs';

import type { PackageTreeQuery, PackageTreeView } from '#contracts/http/index';
import { ofPackage } from '#search';

import type { Caller } from '../auth/caller.js';
import { GetSourceTree } from '../source-files/get-source-tree.js';
import { Handles } from '../use-cases/handles.js';
import { PackageProvider } from './package-provider.js';
import { providedView } from './provided-view.js';
import { withoutRelease } from './without-release.js';

/**
 * Lists the files and folders of one release, which is indexed first if necessary. Costs no quota.
 */
export class GetPackageTree extends Query<PackageTreeView> {
  constructor(
    readonly caller: Caller,
    readonly query: PackageTreeQuery,
  ) {
    super();
  }
}

@Handles(GetPackageTree)
export class GetPackageTreeHandler implements IQueryHandler<GetPackageTree> {
  constructor(
    private readonly packages: PackageProvider,
    private readonly queries: QueryBus,
  ) {}

  /** @throws FootnoteError of the package errors in the catalogue, or as {@link GetSourceTree}. */
  async execute({ caller, query }: GetPackageTree): Promise<PackageTreeView> {
    const provided = await this.packages.requested(caller, query);
    const { sourceId, packageId } = provided;
    const tree = await this.queries.execute(
      new GetSourceTree(caller, sourceId, withoutRelease(query), ofPackage(packageId)),
    );
    return { ...tree, ...providedView(provided) };
  }
}
