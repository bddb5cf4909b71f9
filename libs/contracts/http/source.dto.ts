import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import {
  DOCS_FORMATS,
  type DocsFormat,
  SOURCE_TYPES,
  type SourceType,
} from '../content/source-kind.js';
import { SOURCE_STATUSES, type SourceStatus } from '../content/statuses.js';
import { AsOfPageQuery } from './as-of.dto.js';
import { TextList } from './validation/list.js';
import { Flag, QueryWholeNumber, WholeNumberOrZero } from './validation/number.js';
import { Nested } from './validation/object.js';
import { ReadOnlyFields } from './validation/read-only.js';
import { Clearable, Optional } from './validation/rule.js';
import { Choice, Text } from './validation/text.js';

/**
 * Credentials of a private repository. For https: a token, with a user name where the host wants
 * one. For ssh: a private key. No response ever shows them.
 */
export class CredentialsBody {
  /** With a token. Default: what the host takes for a token that has no user. */
  @Optional()
  @Text({ max: 200, kind: 'name' })
  @ApiPropertyOptional({ writeOnly: true })
  username?: string;

  /** Access token, deploy token or password. */
  @Optional()
  @Text({ max: 4096, kind: 'name' })
  @ApiPropertyOptional({ writeOnly: true })
  token?: string;

  /** Private key without a passphrase, such as of a deploy key, as its file holds it. */
  @Optional()
  @Text({ max: 16_384 })
  @ApiPropertyOptional({ writeOnly: true })
  ssh_key?: string;
}

/** The creation fields that PATCH may change too. */
abstract class SourceFields {
  /**
   * Seconds from the end of a sync, whatever its outcome, to the next automatic one; at least 300.
   * Each source starts up to a tenth later, so that not all sync at once. 0 switches automatic
   * syncs off, which is the default.
   */
  @Optional()
  @WholeNumberOrZero(300, 31_536_000)
  sync_interval_seconds?: number;

  /**
   * Repositories only: the branch, the tag or the commit (all its digits) to read. Default `main`.
   */
  @Optional()
  @Text({ max: 255 })
  @ApiPropertyOptional({ example: 'main' })
  branch?: string;

  /** Docs only. Default `html`. */
  @Optional()
  @Choice(...DOCS_FORMATS)
  docs_format?: DocsFormat;

  /**
   * HTML docs only: the pages to read. With all other fields, a source has at most 64 KiB as JSON.
   */
  @Optional()
  @TextList({ maxItems: 1000, maxLength: 2048 })
  doc_urls?: string[];

  /** HTML docs only: find the pages by the site's sitemap. Default false. */
  @Optional()
  @Flag()
  use_sitemap?: boolean;

  /** OpenAPI docs only: the version shown in citations instead of the specification's own. */
  @Optional()
  @Text({ max: 100, kind: 'name' })
  @ApiPropertyOptional({ example: '2026-01' })
  doc_version_label?: string;

  /**
   * Globs of included files; an empty list includes everything that is not excluded. Vendored,
   * generated, minified and binary files of a repository are left out by default. Except for binary
   * files, a pattern that names such files includes them: `["**", "yarn.lock"]`. With all
   * alternatives of `{a,b}` written out, a list has at most 16,384 characters.
   */
  @Optional()
  @TextList({ maxItems: 100, maxLength: 256 })
  @ApiPropertyOptional({ example: ['src/**'] })
  include_patterns?: string[];

  /**
   * Globs of what to leave out; they win over `include_patterns`, and their list has the same
   * bounds.
   */
  @Optional()
  @TextList({ maxItems: 100, maxLength: 256 })
  @ApiPropertyOptional({ example: ['**/*.snap'] })
  exclude_patterns?: string[];
}

/** A new source. Registering it does not start a sync. */
export class CreateSourceBody extends SourceFields {
  /** Human-readable name. */
  @Text({ max: 200, kind: 'name' })
  @ApiProperty({ example: 'Flask' })
  name: string;

  /** The type of the source; it never changes. */
  @Choice(...SOURCE_TYPES)
  @ApiProperty({ example: 'repo' })
  source_type: SourceType;

  /** Git URL of a repository, base or specification URL of docs, URL of a PDF. */
  @Text({ max: 2048 })
  @ApiProperty({ example: 'https://github.com/pallets/flask' })
  url: string;

  /** Repositories only: what to read a private one with. */
  @Optional()
  @Nested(() => CredentialsBody)
  @ApiPropertyOptional({ writeOnly: true })
  credentials?: CredentialsBody;
}

/** Changes to a source; absent fields stay. What is fetched changes at the next sync. */
@ReadOnlyFields(
  'id',
  'source_type',
  'status',
  'file_count',
  'chunk_count',
  'refined_share',
  'doc_url_count',
  'version_ref',
  'has_credentials',
  'last_job_id',
  'last_error',
  'sync_message',
  'last_sync_completed',
  'next_sync_at',
  'has_push_hook',
  'created_at',
  'updated_at',
)
export class UpdateSourceBody extends SourceFields {
  /** Human-readable name. */
  @Optional()
  @Text({ max: 200, kind: 'name' })
  name?: string;

  /** Git URL of a repository, base or specification URL of docs, URL of a PDF. */
  @Optional()
  @Text({ max: 2048 })
  url?: string;

  /** Repositories only: what to read a private one with from the next sync on; null removes it. */
  @Clearable()
  @Nested(() => CredentialsBody)
  @ApiPropertyOptional({ writeOnly: true, nullable: true })
  credentials?: CredentialsBody | null;
}

export class ListSourcesQuery extends AsOfPageQuery {
  /** Only sources of this type. */
  @Optional()
  @Choice(...SOURCE_TYPES)
  source_type?: SourceType;

  /** Only sources in this state. */
  @Optional()
  @Choice(...SOURCE_STATUSES)
  status?: SourceStatus;
}

/** A registered source. Fields that do not apply to its type are left out. */
export class SourceView {
  /** @example '019bc0de-5c1e-7d52-9f0a-3a8f6f0f9a11' */
  id: string;
  /** @example 'Flask' */
  name: string;
  @ApiProperty({ enum: [...SOURCE_TYPES] })
  source_type: SourceType;
  /**
   * `pending`: never synced; `syncing`: a sync runs; `synced`: the last sync succeeded; `error`: it
   * failed.
   */
  @ApiProperty({ enum: [...SOURCE_STATUSES] })
  status: SourceStatus;
  /** @example 'https://github.com/pallets/flask' */
  url: string;
  /** Repositories only. */
  branch?: string;
  /** Repositories only: whether it is read with credentials. */
  has_credentials?: boolean;
  /** Docs only. */
  @ApiPropertyOptional({ type: String, enum: [...DOCS_FORMATS] })
  docs_format?: string;
  /** HTML docs only. Lists leave it out. */
  @ApiPropertyOptional({ type: [String] })
  doc_urls?: readonly string[];
  /** HTML docs only: how many `doc_urls` there are. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0 })
  doc_url_count?: number;
  /** HTML docs only. */
  use_sitemap?: boolean;
  /** OpenAPI docs only. */
  doc_version_label?: string;
  @ApiProperty({ type: [String] })
  include_patterns: readonly string[];
  @ApiProperty({ type: [String] })
  exclude_patterns: readonly string[];
  /** Files of the live version. */
  file_count: number;
  /** Chunks of the live version. */
  chunk_count: number;
  /**
   * Share of the live version with sentence vectors. Searches use them from 1 on. Absent without an
   * installed sentence encoder, and for past moments.
   */
  @ApiPropertyOptional({ type: 'number', minimum: 0, maximum: 1 })
  refined_share?: number;
  /** Commit or version that searches see; null before the first sync. */
  @ApiProperty({ type: String, nullable: true })
  version_ref: string | null;
  /** The newest sync job; null before the first. */
  @ApiProperty({ type: String, nullable: true })
  last_job_id: string | null;
  /** Why the last sync failed; null when it did not. */
  @ApiProperty({ type: String, nullable: true })
  last_error: string | null;
  /**
   * Progress of the pending or running sync; while it waits for a retry, the failure and the time
   * of the next attempt. Null without a sync.
   * @example 'Stage fetch failed: The host cannot be reached. It is tried again at
   * 2026-01-17T10:00:04.000Z'
   */
  @ApiProperty({ type: String, nullable: true })
  sync_message: string | null;
  /** Seconds between syncs that start by themselves; 0: none do. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  sync_interval_seconds: number;
  /**
   * Time when the next automatic sync starts. Null where `sync_interval_seconds` is 0, and while a
   * sync is pending or running.
   */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  next_sync_at: string | null;
  /** True if signed pushes start syncs. */
  has_push_hook: boolean;
  /** Time when the last successful sync ended; present once there was one. */
  @ApiPropertyOptional({ format: 'date-time' })
  last_sync_completed?: string;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

/** The form that uploads a PDF. */
export class UploadSourceForm {
  /** The PDF. */
  @ApiProperty({ type: String, format: 'binary' })
  file: unknown;

  /** Human-readable name, up to 200 characters. Default: the file's name. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 200, example: 'Field guide' })
  name?: string;
}

/** A source that was uploaded, with the job of its first sync. */
export class UploadedSource extends SourceView {
  /** @example '019bc0de-5c1e-7d52-9f0a-3a8f6f0f9a12' */
  job_id: string;
}

export class SourceList {
  sources: SourceView[];
  /** Number of sources that match the filters. */
  total: number;
}

/** A sync was accepted. */
export class SyncAccepted {
  job_id: string;
  source_id: string;
  /** @example 'Sync of Flask started' */
  message: string;
}

export class SourceContentQuery {
  /**
   * File path or URL as in a citation. One with a fragment (`#install`) returns the lines of that
   * passage unless the request names other lines.
   */
  @Text({ max: 4096 })
  @ApiProperty({ example: 'src/flask/app.py' })
  path: string;

  /**
   * The operation or schema of an OpenAPI specification, as a citation names it; without it, the
   * specification's overview. Other documents are not asked by it.
   */
  @Optional()
  @Text({ max: 2048 })
  @ApiProperty({ example: 'getUser' })
  symbol?: string;

  /** First line, from 1. Default 1. */
  @Optional()
  @QueryWholeNumber(1, 999_999_999)
  start_line?: number;

  /** Last line, inclusive; at most 2,000 lines are returned. Default: the end, or 2,000 lines. */
  @Optional()
  @QueryWholeNumber(1, 999_999_999)
  end_line?: number;
}

/** Lines of a document of the live version, as indexed. */
export class SourceContent {
  source_id: string;
  path: string;
  version_ref: string;
  /** @example 'python' */
  language: string;
  start_line: number;
  end_line: number;
  /** The last line that the index holds of this document. */
  total_lines: number;
  content: string;
}
