import { type IQueryHandler, Query, QueryBus } from '@nestjs/cqrs';

import type { PackageFileQuery } from '#contracts/http/index';
import { ofPackage } from '#search';

import type { Caller } from '../auth/caller.js';
import { GetSourceFile, type SourceFile } from '../source-files/get-source-file.js';
import { Handles } from '../use-cases/handles.js';
import { PackageProvider } from './package-provider.js';
import { type ProvidedView, providedView } from './provided-view.js';

/** A file of one release. */
export interface PackageFile {
  readonly file: SourceFile;
  readonly release: ProvidedView;
}

/** Returns a file of one release as text; it is indexed first if necessary. Costs no quota. */
export class GetPackageFile extends Query<PackageFile> {
  constructor(
    readonly caller: Caller,
    readonly query: PackageFileQuery,
  ) {
    super();
  }
}

@Handles(GetPackageFile)
export class GetPackageFileHandler implements IQueryHandler<GetPackageFile> {
  constructor(
    private readonly packages: PackageProvider,
    private readonly queries: QueryBus,
  ) {}

  /** @throws FootnoteError of the package errors in the catalogue, or as {@link GetSourceFile}. */
  async execute({ caller, query }: GetPackageFile): Promise<PackageFile> {
    const provided = await this.packages.requested(caller, query);
    const { sourceId, packageId } = provided;
    const { path } = query;
    const file = await this.queries.execute(
      new GetSourceFile(caller, sourceId, { path }, ofPackage(packageId)),
    );
    return { file, release: providedView(provided) };
  }
}
