import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { PackageLinkList, PageQuery } from '#contracts/http/index';
import { listPackageLinks } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { packageLinkViews } from './package-views.js';

export class ListPackageLinks extends Query<PackageLinkList> {
  constructor(
    readonly caller: Caller,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@Handles(ListPackageLinks)
export class ListPackageLinksHandler implements IQueryHandler<ListPackageLinks> {
  constructor(@Inject(READ_MODEL) private readonly readModel: ApiReadModel) {}

  async execute({
    caller: { tenantId },
    page: { skip, limit },
  }: ListPackageLinks): Promise<PackageLinkList> {
    const { links, total } = await this.readModel.ask(listPackageLinks, tenantId, { skip, limit });
    return { packages: await packageLinkViews(this.readModel, tenantId, links), total };
  }
}
