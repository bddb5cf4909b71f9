import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { MOST_TOP_K } from '../content/answer-limits.js';
import { type Ecosystem, ECOSYSTEMS } from '../content/package-version.js';
import { PACKAGE_STATUSES, type PackageStatus } from '../content/statuses.js';
import { PageQuery } from './page.dto.js';
import { CitationView } from './search.dto.js';
import { QueryWholeNumber, WholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Choice, Text } from './validation/text.js';

const MAX_QUERY = 500;
const MAX_NAME = 300;
const MAX_VERSION = 128;

/** A release of a package as a request names it. */
export class PackageReleaseFields {
  /** As people write it: `react`, `@nestjs/core`, `zope.interface`, `com.google.guava:guava`. */
  @Text({ max: MAX_NAME, kind: 'name' })
  @ApiProperty({ example: 'react' })
  package_name: string;

  @Choice(...ECOSYSTEMS)
  ecosystem: Ecosystem;

  /** Exact: no range and no tag. Default: the latest that is no pre-release. */
  @Optional()
  @Text({ max: MAX_VERSION, kind: 'name' })
  @ApiPropertyOptional({ example: '19.0.0' })
  version?: string;
}

/** The package and the query of a search; the same fields in a body and in a query string. */
abstract class PackageSearchFields extends PackageReleaseFields {
  /** The query: words, an identifier or a question. */
  @Text({ max: MAX_QUERY })
  @ApiProperty({ example: 'How is an effect cleaned up?' })
  query: string;
}

export class PackageSearchBody extends PackageSearchFields {
  /** Maximum number of results. */
  @Optional()
  @WholeNumber(1, MOST_TOP_K)
  top_k: number = 10;
}

export class PackageSearchQuery extends PackageSearchFields {
  /** Maximum number of results. */
  @Optional()
  @QueryWholeNumber(1, MOST_TOP_K)
  top_k: number = 10;
}

/** A release of a package, named as its registry spells it. */
export class PackageReleaseView {
  @ApiProperty({ enum: [...ECOSYSTEMS] })
  ecosystem: Ecosystem;
  name: string;
  version: string;
}

/** The release that an answer is about. */
export class ProvidedPackageFields {
  package: PackageReleaseView;
  /** True if the package was indexed already. */
  cached: boolean;
}

export class PackageSearchResultView {
  content: string;
  /** Relevance: 0 to 1, times the policy's priority of repositories. */
  score: number;
  token_count: number;
  citation: CitationView;
}

export class PackageSearchResponseView extends ProvidedPackageFields {
  query: string;
  results: PackageSearchResultView[];
  total_results: number;
  /** From the request's arrival on, fetching and indexing included. */
  search_time_ms: number;
  /**
   * Warnings of its registry about the release (deprecated by its author, withdrawn), and of a
   * reranker that did not order the results. Left out where there are none.
   */
  @ApiPropertyOptional({ type: [String] })
  warnings?: string[];
}

export class ListGlobalPackagesQuery extends PageQuery {
  @Optional()
  @Choice(...ECOSYSTEMS)
  ecosystem?: Ecosystem;

  /** Words of the name or the description. */
  @Optional()
  @Text({ max: 200 })
  query?: string;
}

/** A release in the catalogue. */
export class GlobalPackageView {
  package_id: string;
  @ApiProperty({ enum: [...ECOSYSTEMS] })
  ecosystem: Ecosystem;
  name: string;
  version: string;
  @ApiProperty({ type: String, nullable: true })
  description: string | null;
  @ApiProperty({ type: String, nullable: true })
  homepage: string | null;
  @ApiProperty({ type: String, nullable: true })
  license: string | null;
  /**
   * `dropped`: its content is not held, because nobody used it for long; the next search or link
   * has it fetched again.
   */
  @ApiProperty({ enum: [...PACKAGE_STATUSES] })
  status: PackageStatus;
  file_count: number;
  chunk_count: number;
  /** Time when its content was last confirmed; null while it is not indexed. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  indexed_at: string | null;
  /** Warnings of its registry. */
  @ApiProperty({ type: [String] })
  notices: string[];
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

export class GlobalPackageList {
  packages: GlobalPackageView[];
  total: number;
}

export class AddPackageBody {
  @Choice(...ECOSYSTEMS)
  ecosystem: Ecosystem;

  @Text({ max: MAX_NAME, kind: 'name' })
  @ApiProperty({ example: 'react' })
  name: string;

  /** Exact: no range and no tag. Default: the latest that is no pre-release. */
  @Optional()
  @Text({ max: MAX_VERSION, kind: 'name' })
  @ApiPropertyOptional({ example: '19.0.0' })
  version?: string;
}

/** A package that the tenant's searches cover. */
export class PackageLinkView {
  link_id: string;
  package_id: string;
  @ApiProperty({ enum: [...ECOSYSTEMS] })
  ecosystem: Ecosystem;
  name: string;
  version: string;
  /** Status of the package. */
  @ApiProperty({ enum: [...PACKAGE_STATUSES] })
  status: PackageStatus;
  /**
   * The job that indexes it, or did; GET /jobs/{job_id} shows it to who links the package. Null
   * before there is one.
   */
  @ApiProperty({ type: String, nullable: true })
  job_id: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export class PackageLinkList {
  packages: PackageLinkView[];
  total: number;
}
