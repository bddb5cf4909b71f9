import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { PUBLIC_TENANT } from '#contracts';
import type { GlobalPackageList, ListGlobalPackagesQuery } from '#contracts/http/index';
import { listPackages } from '#read-model';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { globalPackageView } from './package-views.js';

/** The catalogue; it shows nothing of who uses what is in it. */
export class ListGlobalPackages extends Query<GlobalPackageList> {
  constructor(readonly filter: Readonly<ListGlobalPackagesQuery>) {
    super();
  }
}

@Handles(ListGlobalPackages)
export class ListGlobalPackagesHandler implements IQueryHandler<ListGlobalPackages> {
  constructor(@Inject(READ_MODEL) private readonly readModel: ApiReadModel) {}

  async execute({ filter }: ListGlobalPackages): Promise<GlobalPackageList> {
    const { packages, total } = await this.readModel.ask(listPackages, PUBLIC_TENANT, filter);
    return { packages: packages.map(globalPackageView), total };
  }
}
