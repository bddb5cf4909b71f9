import { ApiProperty, IntersectionType, OmitType } from '@nestjs/swagger';

import { CodeSearchBody, CodeSearchQuery, CodeSearchResponseView } from './code-search.dto.js';
import { PackageReleaseFields, ProvidedPackageFields } from './package.dto.js';
import {
  SourceFileQuery,
  SourceFileView,
  SourceTreeQuery,
  SourceTreeView,
} from './source-files.dto.js';

/** A code search in one release of a package. */
export class PackageCodeSearchBody extends IntersectionType(
  OmitType(CodeSearchBody, ['source_ids'] as const),
  PackageReleaseFields,
) {}

/** The same in a query string. */
export class PackageCodeSearchQuery extends IntersectionType(
  OmitType(CodeSearchQuery, ['source_ids'] as const),
  PackageReleaseFields,
) {}

/** Matching lines of one release of a package. */
export class PackageCodeSearchView extends IntersectionType(
  CodeSearchResponseView,
  ProvidedPackageFields,
) {}

/** The end of a code search in a package that was answered as a stream. */
export class PackageCodeSearchEndView extends OmitType(PackageCodeSearchView, ['files'] as const) {
  /** The receipt of the whole answer. */
  receipt_id: string;
}

/** A folder of one release of a package. */
export class PackageTreeQuery extends IntersectionType(
  OmitType(SourceTreeQuery, ['generation', 'version_ref'] as const),
  PackageReleaseFields,
) {}

/** A page of the files and folders of one release, in the order of their paths. */
export class PackageTreeView extends IntersectionType(SourceTreeView, ProvidedPackageFields) {
  /** Warnings of its registry about the release: deprecated by its author, withdrawn. */
  @ApiProperty({ type: [String] })
  warnings: readonly string[];
}

/** A file of one release of a package. */
export class PackageFileQuery extends IntersectionType(
  OmitType(SourceFileQuery, ['generation', 'version_ref'] as const),
  PackageReleaseFields,
) {}

/** Lines of a file of one release. */
export class PackageFileView extends IntersectionType(SourceFileView, ProvidedPackageFields) {
  /** Warnings of its registry about the release: deprecated by its author, withdrawn. */
  @ApiProperty({ type: [String] })
  warnings: readonly string[];
}
