import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { SourceView } from '#contracts/http/index';
import { getSource } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';

export class GetSource extends Query<SourceView> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
  ) {
    super();
  }
}

@Handles(GetSource)
export class GetSourceHandler implements IQueryHandler<GetSource> {
  constructor(@Inject(READ_MODEL) private readonly readModel: ApiReadModel) {}

  async execute({ caller, sourceId }: GetSource): Promise<SourceView> {
    const id = requireId('source_not_found', sourceId);
    const source = await this.readModel.ask(getSource, caller.tenantId, id);
    if (!source) throw notFound('source_not_found', sourceId);
    return source;
  }
}
