import { Module } from '@nestjs/common';

import { CodeNavigationModule } from '../code-navigation/code-navigation.module.js';
import { CodeSearchModule } from '../code-search/code-search.module.js';
import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { KnownLinksModule } from '../package-links/package-links.module.js';
import { SearchModule } from '../search/search.module.js';
import { LiveSourcesModule, SourcesModule } from '../sources/sources.module.js';
import { WriteModule } from '../write/write.module.js';
import { AddPackageHandler } from './add-package.js';
import { CatalogueLimit } from './catalogue-limit.guard.js';
import { GetGlobalPackageHandler } from './get-global-package.js';
import { GetPackageFileHandler } from './get-package-file.js';
import { GetPackageTreeHandler } from './get-package-tree.js';
import { KnownPackages } from './known-packages.js';
import { ListGlobalPackagesHandler } from './list-global-packages.js';
import { ListPackageLinksHandler } from './list-package-links.js';
import { NavigatePackageHandler } from './navigate-package.js';
import { OwnerCommands } from './owner-commands.js';
import { PackageCodeController } from './package-code.controller.js';
import { PackageContent } from './package-content.js';
import { PackageFilesController } from './package-files.controller.js';
import { PackageJobs } from './package-jobs.js';
import { PackageNavigationController } from './package-navigation.controller.js';
import { PackageProvider } from './package-provider.js';
import { PackageResolutions } from './package-resolutions.js';
import { PackageSyncs } from './package-syncs.js';
import { PackageUses } from './package-uses.js';
import { PackagesController } from './packages.controller.js';
import { ReleaseCode } from './release-code.js';
import { RemovePackageLinkHandler } from './remove-package-link.js';
import { SearchPackageHandler } from './search-package.js';
import { SearchPackageCodeHandler } from './search-package-code.js';
import { WaitingSearches } from './waiting-searches.js';

/** `/packages` */
@Module({
  imports: [
    CodeNavigationModule,
    CodeSearchModule,
    InMemoryModule,
    JobsModule,
    KnownLinksModule,
    LiveSourcesModule,
    SearchModule,
    SourcesModule,
    WriteModule,
  ],
  controllers: [
    PackagesController,
    PackageCodeController,
    PackageFilesController,
    PackageNavigationController,
  ],
  providers: [
    KnownPackages,
    OwnerCommands,
    PackageContent,
    PackageJobs,
    PackageResolutions,
    PackageSyncs,
    PackageUses,
    PackageProvider,
    WaitingSearches,
    CatalogueLimit,
    SearchPackageHandler,
    ReleaseCode,
    SearchPackageCodeHandler,
    NavigatePackageHandler,
    GetPackageTreeHandler,
    GetPackageFileHandler,
    AddPackageHandler,
    ListPackageLinksHandler,
    RemovePackageLinkHandler,
    ListGlobalPackagesHandler,
    GetGlobalPackageHandler,
  ],
  exports: [PackageProvider, OwnerCommands, PackageSyncs],
})
export class PackagesModule {}
