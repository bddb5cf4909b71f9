import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { PUBLIC_TENANT } from '#contracts';
import type { GlobalPackageView } from '#contracts/http/index';
import { getPackage } from '#read-model';

import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { globalPackageView } from './package-views.js';

export class GetGlobalPackage extends Query<GlobalPackageView> {
  constructor(readonly packageId: string) {
    super();
  }
}

@Handles(GetGlobalPackage)
export class GetGlobalPackageHandler implements IQueryHandler<GetGlobalPackage> {
  constructor(@Inject(READ_MODEL) private readonly readModel: ApiReadModel) {}

  async execute({ packageId }: GetGlobalPackage): Promise<GlobalPackageView> {
    const id = requireId('package_not_found', packageId);
    const row = await this.readModel.ask(getPackage, PUBLIC_TENANT, id);
    if (!row) throw notFound('package_not_found', packageId);
    return globalPackageView(row);
  }
}
