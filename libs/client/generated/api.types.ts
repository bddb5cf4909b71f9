// Generated from docs/openapi.json by tools/write-client.mjs; do not edit.
export type ClientOptions = {
    baseUrl: string;
};

export type CredentialsBody = {
    /**
     * With a token. Default: what the host takes for a token that has no user.
     */
    username?: string;
    /**
     * Access token, deploy token or password.
     */
    token?: string;
    /**
     * Private key without a passphrase, such as of a deploy key, as its file holds it.
     */
    ssh_key?: string;
};

export type CreateSourceBody = {
    /**
     * Seconds from the end of a sync, whatever its outcome, to the next automatic one; at least 300.
     * Each source starts up to a tenth later, so that not all sync at once. 0 switches automatic
     * syncs off, which is the default.
     */
    sync_interval_seconds?: 0 | number;
    /**
     * Repositories only: the branch, the tag or the commit (all its digits) to read. Default `main`.
     */
    branch?: string;
    /**
     * Docs only. Default `html`.
     */
    docs_format?: 'html' | 'openapi';
    /**
     * HTML docs only: the pages to read. With all other fields, a source has at most 64 KiB as JSON.
     */
    doc_urls?: ReadonlyArray<string>;
    /**
     * HTML docs only: find the pages by the site's sitemap. Default false.
     */
    use_sitemap?: boolean;
    /**
     * OpenAPI docs only: the version shown in citations instead of the specification's own.
     */
    doc_version_label?: string;
    /**
     * Globs of included files; an empty list includes everything that is not excluded. Vendored,
     * generated, minified and binary files of a repository are left out by default. Except for binary
     * files, a pattern that names such files includes them: `["**", "yarn.lock"]`. With all
     * alternatives of `{a,b}` written out, a list has at most 16,384 characters.
     */
    include_patterns?: ReadonlyArray<string>;
    /**
     * Globs of what to leave out; they win over `include_patterns`, and their list has the same
     * bounds.
     */
    exclude_patterns?: ReadonlyArray<string>;
    /**
     * Human-readable name.
     */
    name: string;
    /**
     * The type of the source; it never changes.
     */
    source_type: 'repo' | 'docs' | 'pdf';
    /**
     * Git URL of a repository, base or specification URL of docs, URL of a PDF.
     */
    url: string;
};

export type SourceView = {
    source_type: 'repo' | 'docs' | 'pdf';
    /**
     * `pending`: never synced; `syncing`: a sync runs; `synced`: the last sync succeeded; `error`: it
     * failed.
     */
    status: 'pending' | 'syncing' | 'synced' | 'error';
    /**
     * Docs only.
     */
    docs_format?: 'html' | 'openapi';
    /**
     * HTML docs only. Lists leave it out.
     */
    doc_urls?: Array<string>;
    /**
     * HTML docs only: how many `doc_urls` there are.
     */
    doc_url_count?: number;
    include_patterns: Array<string>;
    exclude_patterns: Array<string>;
    /**
     * Share of the live version with sentence vectors. Searches use them from 1 on. Absent without an
     * installed sentence encoder, and for past moments.
     */
    refined_share?: number;
    /**
     * Commit or version that searches see; null before the first sync.
     */
    version_ref: string | null;
    /**
     * The newest sync job; null before the first.
     */
    last_job_id: string | null;
    /**
     * Why the last sync failed; null when it did not.
     */
    last_error: string | null;
    /**
     * Progress of the pending or running sync; while it waits for a retry, the failure and the time
     * of the next attempt. Null without a sync.
     */
    sync_message: string | null;
    /**
     * Seconds between syncs that start by themselves; 0: none do.
     */
    sync_interval_seconds: number;
    /**
     * Time when the next automatic sync starts. Null where `sync_interval_seconds` is 0, and while a
     * sync is pending or running.
     */
    next_sync_at: string | null;
    /**
     * Time when the last successful sync ended; present once there was one.
     */
    last_sync_completed?: string;
    created_at: string;
    updated_at: string;
    id: string;
    name: string;
    url: string;
    /**
     * Repositories only.
     */
    branch?: string;
    /**
     * Repositories only: whether it is read with credentials.
     */
    has_credentials?: boolean;
    /**
     * HTML docs only.
     */
    use_sitemap?: boolean;
    /**
     * OpenAPI docs only.
     */
    doc_version_label?: string;
    /**
     * Files of the live version.
     */
    file_count: number;
    /**
     * Chunks of the live version.
     */
    chunk_count: number;
    /**
     * True if signed pushes start syncs.
     */
    has_push_hook: boolean;
};

export type FieldProblemView = {
    field: string;
    message: string;
};

export type ErrorView = {
    /**
     * Stable and documented in the error catalogue.
     */
    code: 'validation_failed' | 'password_too_common' | 'search_too_costly' | 'malformed_json' | 'bad_request' | 'unauthorized' | 'scope_missing' | 'sign_in_required' | 'role_missing' | 'sign_in_failed' | 'csrf_invalid' | 'access_denied' | 'origin_refused' | 'not_found' | 'method_not_allowed' | 'source_not_found' | 'job_not_found' | 'rover_job_not_found' | 'key_not_found' | 'audit_event_not_found' | 'audit_trail_altered' | 'audit_key_missing' | 'webhook_not_found' | 'webhook_limit_reached' | 'member_not_found' | 'invitation_not_found' | 'conversation_not_found' | 'receipt_not_found' | 'package_refused' | 'registry_not_configured' | 'package_not_found' | 'package_version_not_found' | 'package_link_not_found' | 'content_not_found' | 'request_timeout' | 'source_history_full' | 'sync_in_progress' | 'job_finished' | 'rover_job_finished' | 'rover_job_not_completed' | 'last_key' | 'erasure_not_confirmed' | 'legal_hold' | 'address_taken' | 'last_owner' | 'invitation_closed' | 'conversation_full' | 'idempotency_key_reused' | 'generation_dropped' | 'content_missing' | 'receipt_erased' | 'model_changed' | 'concurrent_change' | 'policy_changed' | 'legal_hold_changed' | 'body_too_large' | 'package_too_large' | 'unsupported_media_type' | 'headers_too_large' | 'rate_limited' | 'quota_exceeded' | 'internal_error' | 'registry_unavailable' | 'repository_host_unavailable' | 'package_unreadable' | 'engine_unavailable' | 'overloaded' | 'provider_unavailable' | 'shutting_down' | 'registry_timeout' | 'package_timeout' | 'upload_timeout' | 'storage_full';
    /**
     * On validation errors alone.
     */
    details?: Array<FieldProblemView>;
    /**
     * A sentence for people.
     */
    error: string;
    /**
     * Finds the request in logs and in the audit trail.
     */
    request_id: string;
};

export type UploadSourceForm = {
    /**
     * The PDF.
     */
    file: Blob | File;
    /**
     * Human-readable name, up to 200 characters. Default: the file's name.
     */
    name?: string;
};

export type UploadedSource = {
    source_type: 'repo' | 'docs' | 'pdf';
    /**
     * `pending`: never synced; `syncing`: a sync runs; `synced`: the last sync succeeded; `error`: it
     * failed.
     */
    status: 'pending' | 'syncing' | 'synced' | 'error';
    /**
     * Docs only.
     */
    docs_format?: 'html' | 'openapi';
    /**
     * HTML docs only. Lists leave it out.
     */
    doc_urls?: Array<string>;
    /**
     * HTML docs only: how many `doc_urls` there are.
     */
    doc_url_count?: number;
    include_patterns: Array<string>;
    exclude_patterns: Array<string>;
    /**
     * Share of the live version with sentence vectors. Searches use them from 1 on. Absent without an
     * installed sentence encoder, and for past moments.
     */
    refined_share?: number;
    /**
     * Commit or version that searches see; null before the first sync.
     */
    version_ref: string | null;
    /**
     * The newest sync job; null before the first.
     */
    last_job_id: string | null;
    /**
     * Why the last sync failed; null when it did not.
     */
    last_error: string | null;
    /**
     * Progress of the pending or running sync; while it waits for a retry, the failure and the time
     * of the next attempt. Null without a sync.
     */
    sync_message: string | null;
    /**
     * Seconds between syncs that start by themselves; 0: none do.
     */
    sync_interval_seconds: number;
    /**
     * Time when the next automatic sync starts. Null where `sync_interval_seconds` is 0, and while a
     * sync is pending or running.
     */
    next_sync_at: string | null;
    /**
     * Time when the last successful sync ended; present once there was one.
     */
    last_sync_completed?: string;
    created_at: string;
    updated_at: string;
    id: string;
    name: string;
    url: string;
    /**
     * Repositories only.
     */
    branch?: string;
    /**
     * Repositories only: whether it is read with credentials.
     */
    has_credentials?: boolean;
    /**
     * HTML docs only.
     */
    use_sitemap?: boolean;
    /**
     * OpenAPI docs only.
     */
    doc_version_label?: string;
    /**
     * Files of the live version.
     */
    file_count: number;
    /**
     * Chunks of the live version.
     */
    chunk_count: number;
    /**
     * True if signed pushes start syncs.
     */
    has_push_hook: boolean;
    job_id: string;
};

export type SourceList = {
    sources: Array<SourceView>;
    /**
     * Number of sources that match the filters.
     */
    total: number;
};

export type AuditChangeView = {
    field: string;
    /**
     * Value before the event; null for none.
     */
    before: {
        [key: string]: unknown;
    } | null;
    /**
     * Value after the event; null for none.
     */
    after: {
        [key: string]: unknown;
    } | null;
};

export type AuditActorView = {
    type: 'api_key' | 'user' | 'system' | 'operator' | 'anonymous';
    /**
     * Name of the key, process or person; null for a person whose data was erased.
     */
    name: string | null;
    id: string;
};

export type SourceHistoryEntryView = {
    /**
     * Number of the record in the audit trail; `as_of_seq` takes it.
     */
    seq: number;
    /**
     * Id of the record in the audit trail.
     */
    id: string;
    action: string;
    /**
     * Revision of the stream of the resource, or of its job.
     */
    revision: number;
    /**
     * By the writer's clock.
     */
    occurred_at: string;
    /**
     * By the log's clock; never before that of an earlier entry.
     */
    recorded_at: string;
    /**
     * Null for background work.
     */
    request_id: string | null;
    /**
     * Fields that changed.
     */
    changes: Array<AuditChangeView>;
    /**
     * Generation that was published or dropped; null for other entries.
     */
    generation: number | null;
    /**
     * Version of the published content, such as a commit; null for other entries.
     */
    version_ref: string | null;
    /**
     * Job of a sync; null for other entries.
     */
    job_id: string | null;
    actor: AuditActorView;
};

export type SourceHistoryList = {
    entries: Array<SourceHistoryEntryView>;
    /**
     * The `after` of the next page; null at the end.
     */
    next: number | null;
};

export type SymbolDiffView = {
    change: 'added' | 'changed' | 'removed';
    /**
     * `Class.method`, a heading trail or an operation id.
     */
    symbol: string;
};

export type FileDiffView = {
    change: 'added' | 'changed' | 'removed';
    /**
     * Symbols of the file that differ, at most 200.
     */
    symbols: Array<SymbolDiffView>;
    path: string;
    /**
     * True if more symbols differ.
     */
    truncated: boolean;
};

export type SourceDiffView = {
    from: number;
    to: number;
    /**
     * Number of files that only the second generation has.
     */
    added: number;
    /**
     * Number of files with other content.
     */
    changed: number;
    /**
     * Number of files that only the first generation has.
     */
    removed: number;
    /**
     * A page of the files: those of the second generation in its order, then removed ones.
     */
    files: Array<FileDiffView>;
};

export type UpdateSourceBody = {
    /**
     * Seconds from the end of a sync, whatever its outcome, to the next automatic one; at least 300.
     * Each source starts up to a tenth later, so that not all sync at once. 0 switches automatic
     * syncs off, which is the default.
     */
    sync_interval_seconds?: 0 | number;
    /**
     * Repositories only: the branch, the tag or the commit (all its digits) to read. Default `main`.
     */
    branch?: string;
    /**
     * Docs only. Default `html`.
     */
    docs_format?: 'html' | 'openapi';
    /**
     * HTML docs only: the pages to read. With all other fields, a source has at most 64 KiB as JSON.
     */
    doc_urls?: ReadonlyArray<string>;
    /**
     * HTML docs only: find the pages by the site's sitemap. Default false.
     */
    use_sitemap?: boolean;
    /**
     * OpenAPI docs only: the version shown in citations instead of the specification's own.
     */
    doc_version_label?: string;
    /**
     * Globs of included files; an empty list includes everything that is not excluded. Vendored,
     * generated, minified and binary files of a repository are left out by default. Except for binary
     * files, a pattern that names such files includes them: `["**", "yarn.lock"]`. With all
     * alternatives of `{a,b}` written out, a list has at most 16,384 characters.
     */
    include_patterns?: ReadonlyArray<string>;
    /**
     * Globs of what to leave out; they win over `include_patterns`, and their list has the same
     * bounds.
     */
    exclude_patterns?: ReadonlyArray<string>;
    /**
     * Human-readable name.
     */
    name?: string;
    /**
     * Git URL of a repository, base or specification URL of docs, URL of a PDF.
     */
    url?: string;
};

export type SyncAccepted = {
    job_id: string;
    source_id: string;
    message: string;
};

export type SourceContent = {
    source_id: string;
    path: string;
    version_ref: string;
    language: string;
    start_line: number;
    end_line: number;
    /**
     * The last line that the index holds of this document.
     */
    total_lines: number;
    content: string;
};

export type SourceFileView = {
    generation: number;
    /**
     * Null for a file without text.
     */
    language: string | null;
    from_line: number;
    /**
     * Last line in this answer; 0 for an empty file.
     */
    to_line: number;
    total_lines: number;
    /**
     * First line of the next request; null at the end.
     */
    next_line: number | null;
    /**
     * Lines without their `\n`; a `\r` stays.
     */
    lines: Array<string>;
    /**
     * Reasons for which it can differ; empty if it is exact.
     */
    differences: Array<'converted' | 'unknown_gaps' | 'redacted' | 'not_utf8'>;
    source_id: string;
    version_ref: string;
    path: string;
    /**
     * True if the last line of the file ends with `\n`.
     */
    final_newline: boolean;
    /**
     * True if the text equals the fetched bytes.
     */
    exact: boolean;
    /**
     * Git blob id or content hash of the fetched file.
     */
    version: string;
};

export type TreeEntryView = {
    kind: 'file' | 'folder';
    /**
     * Number of files below a folder; 1 for a file.
     */
    files: number;
    /**
     * Language by the name of the file; null for folders and files that are not indexed.
     */
    language: string | null;
    /**
     * Reason that a file is not indexed, such as `binary`, `generated`, `minified` or `lfs`; null for
     * indexed files and folders.
     */
    skipped: string | null;
    path: string;
};

export type SourceTreeView = {
    generation: number;
    /**
     * Number of entries on all pages.
     */
    total: number;
    entries: Array<TreeEntryView>;
    source_id: string;
    version_ref: string;
};

export type OutlineEntryView = {
    name: string;
    /**
     * Name below the definitions around it; of over six levels the innermost.
     */
    symbol: string;
    /**
     * Symbol of the definition around it or its owner; null at the top level.
     */
    parent: string | null;
    /**
     * First line, from 1, with the comments and attributes directly above.
     */
    start_line: number;
    /**
     * Last line.
     */
    end_line: number;
    /**
     * Kind of the definition; null if an earlier version indexed the file.
     */
    kind: 'definition' | 'class' | 'interface' | 'enum' | 'struct' | 'trait' | 'type' | 'function' | 'method' | 'constant' | 'module' | 'macro' | 'property' | null;
    /**
     * Line of the name, from 1; null if an earlier version indexed the file.
     */
    line: number | null;
    /**
     * First column of the name in UTF-16 units, from 1.
     */
    column: number | null;
};

export type SourceOutlineView = {
    generation: number;
    /**
     * Number of definitions on all pages.
     */
    total: number;
    definitions: Array<OutlineEntryView>;
    /**
     * Defined names whose lines are not recorded: of specifications and of old versions.
     */
    unplaced_names: Array<string>;
    /**
     * States what a rebuild of the source adds, such as kinds of definitions.
     */
    warnings: Array<string>;
    source_id: string;
    version_ref: string;
    path: string;
};

export type PushHookView = {
    /**
     * Shown here and never again; a repeated request with the same Idempotency-Key leaves it out.
     */
    secret?: string;
    url: string;
};

export type PushAnswer = {
    /**
     * `queued`: a sync runs and one more follows it; `repeated`: the delivery was taken before, and
     * nothing follows again.
     */
    status: 'started' | 'queued' | 'repeated' | 'ignored' | 'pong';
    /**
     * In words, such as why nothing followed.
     */
    message: string;
    /**
     * The sync that was started.
     */
    job_id?: string;
};

export type StageAttemptView = {
    stage: 'fetch' | 'parse' | 'chunk' | 'embed' | 'index' | 'finalize';
    /**
     * From 1, counted over the whole job: each retry adds one.
     */
    attempt: number;
    started_at: string;
    /**
     * Null while it runs.
     */
    ended_at: string | null;
    /**
     * `lost`: its worker was not heard of any more, or stopped, and the stage was done again.
     */
    outcome: 'running' | 'completed' | 'failed' | 'lost' | 'cancelled';
};

export type JobView = {
    status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
    stage: 'queued' | 'fetch' | 'parse' | 'chunk' | 'embed' | 'index' | 'finalize';
    /**
     * 0–100.
     */
    progress_percent: number;
    /**
     * Counters of the stages so far, such as `chunks_embedded` and `total_chunks`; those of a stage
     * are there from its start.
     */
    stage_details: {
        [key: string]: number;
    };
    /**
     * Why it failed; null when it did not.
     */
    error_message: string | null;
    /**
     * On a failed fetch `url` and `status_code`.
     */
    error_details: {
        [key: string]: unknown;
    } | null;
    created_at: string;
    started_at: string | null;
    completed_at: string | null;
    id: string;
    source_id: string;
    progress_message: string;
    files_processed: number;
    chunks_created: number;
    chunks_updated: number;
    chunks_deleted: number;
    /**
     * Automatic retries so far.
     */
    retry_count: number;
    /**
     * The attempts at its stages, oldest first: the newest 100.
     */
    timeline: Array<StageAttemptView>;
};

export type JobList = {
    jobs: Array<JobView>;
    /**
     * Number of jobs that match the filters.
     */
    total: number;
};

export type JobProgressView = {
    status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
    stage: 'queued' | 'fetch' | 'parse' | 'chunk' | 'embed' | 'index' | 'finalize';
    /**
     * 0–100.
     */
    progress_percent: number;
    /**
     * Counters of the stage.
     */
    stage_details: {
        [key: string]: number;
    };
    error_message: string | null;
    error_details: {
        [key: string]: unknown;
    } | null;
    job_id: string;
    progress_message: string;
    /**
     * Automatic retries so far.
     */
    retry_count: number;
};

export type StreamErrorView = {
    /**
     * A sentence for people.
     */
    error: string;
    /**
     * Stable and documented in the error catalogue.
     */
    code: string;
};

export type CodeQueryView = {
    /**
     * The pattern or query as it was given.
     */
    pattern: string;
    /**
     * The query as it was understood; `i` marks terms that ignore case.
     */
    parsed: string;
    regex: boolean;
    case_sensitive: boolean;
    word: boolean;
    path_patterns: Array<string>;
    languages: Array<string>;
};

export type CodeLineView = {
    /**
     * Begin and end of each match in bytes of the whole line; at most 100.
     */
    ranges: Array<[
        number,
        number
    ]>;
    /**
     * 1-based, in the document as `GET /sources/{id}/content` returns it.
     */
    number: number;
    /**
     * At most 1,000 characters.
     */
    text: string;
    /**
     * True where `text` is cut; left out elsewhere.
     */
    clipped?: boolean;
    /**
     * Innermost definition around the line; in documents without definitions, the heading trail. Left
     * out where there is none.
     */
    symbol?: string;
    /**
     * Lines before it that no earlier match shows; only with `context_lines`.
     */
    before?: Array<string>;
    /**
     * Lines after it, up to the next match; only with `context_lines`.
     */
    after?: Array<string>;
};

export type CodeFileView = {
    /**
     * The address of the first match at that version, where one is known.
     */
    url?: string;
    source_id: string;
    source_name: string;
    path: string;
    /**
     * Commit or version that was searched.
     */
    version_ref: string;
    language: string;
    is_stale: boolean;
    lines: Array<CodeLineView>;
};

export type CodeSourceView = {
    source_id: string;
    source_name: string;
    /**
     * Commit or version that was searched.
     */
    version_ref: string;
    is_stale: boolean;
};

export type LeftOutView = {
    /**
     * Files that the sync left out, by reason: `binary`, `generated`, `too_large`, `secret` etc.
     */
    files: {
        [key: string]: number;
    };
    source_id: string;
    source_name: string;
    /**
     * Examined documents with removed secrets.
     */
    redacted_documents: number;
};

export type CodeSearchResponseView = {
    /**
     * Why it is not; left out of a complete answer.
     */
    incomplete_reason?: 'limit' | 'deadline' | 'content_missing' | 'blank_lines';
    query: CodeQueryView;
    /**
     * By policy priority and name of their sources, then by path.
     */
    files: Array<CodeFileView>;
    /**
     * Only of a query with `type:repo`: the sources with a matching document, each once.
     */
    sources?: Array<CodeSourceView>;
    /**
     * Matching lines of this answer: exact if the search is complete, else a lower bound.
     */
    count: number;
    /**
     * True if every document in scope was examined, of a first page, or every one after the cursor: a
     * complete, empty answer proves absence.
     */
    complete: boolean;
    /**
     * Continues where this answer ended; left out at the end.
     */
    next_cursor?: string;
    sources_searched: number;
    documents_examined: number;
    /**
     * Sources of which the sync left files out or removed secrets.
     */
    left_out: Array<LeftOutView>;
    warnings: Array<string>;
    /**
     * Likely mistakes of the request; only for an empty answer.
     */
    hints: Array<string>;
    search_time_ms: number;
};

export type CodeSearchEndView = {
    /**
     * Why it is not; left out of a complete answer.
     */
    incomplete_reason?: 'limit' | 'deadline' | 'content_missing' | 'blank_lines';
    query: CodeQueryView;
    /**
     * Only of a query with `type:repo`: the sources with a matching document, each once.
     */
    sources?: Array<CodeSourceView>;
    /**
     * Matching lines of this answer: exact if the search is complete, else a lower bound.
     */
    count: number;
    /**
     * True if every document in scope was examined, of a first page, or every one after the cursor: a
     * complete, empty answer proves absence.
     */
    complete: boolean;
    /**
     * Continues where this answer ended; left out at the end.
     */
    next_cursor?: string;
    sources_searched: number;
    documents_examined: number;
    /**
     * Sources of which the sync left files out or removed secrets.
     */
    left_out: Array<LeftOutView>;
    warnings: Array<string>;
    /**
     * Likely mistakes of the request; only for an empty answer.
     */
    hints: Array<string>;
    search_time_ms: number;
    /**
     * The receipt of the whole answer.
     */
    receipt_id: string;
};

export type CodeSearchBody = {
    /**
     * Text or regular expression that a line must contain. Give it or `query`.
     */
    pattern?: string;
    /**
     * Query in place of `pattern`: words, "phrases", /expressions/, `repo:`, `file:`, `lang:`,
     * `sym:`, `content:`, `case:`, `type:`, `-`, `or` and parentheses.
     */
    query?: string;
    /**
     * True: the pattern is a regular expression in the syntax of Rust's `regex`.
     */
    regex?: boolean;
    case_sensitive?: boolean;
    /**
     * True: matches begin and end at word boundaries.
     */
    word?: boolean;
    /**
     * Search only these sources; unknown ids are ignored. Default: all.
     */
    source_ids?: ReadonlyArray<string>;
    /**
     * Only documents whose path matches one of these globs.
     */
    path_patterns?: ReadonlyArray<string>;
    /**
     * Only documents in one of these languages, such as `python`.
     */
    languages?: ReadonlyArray<string>;
    /**
     * False leaves stale sources out, where the policy enforces staleness.
     */
    include_stale?: boolean;
    /**
     * Lines before and after each match.
     */
    context_lines?: number;
    /**
     * Maximum number of matching lines. Over 1,000 only with `max_tokens`, or as `text/plain`, which
     * is then sent while it is found.
     */
    limit?: number;
    /**
     * Maximum tokens of the lines in their text form (`path:line:text`). Default: no bound.
     */
    max_tokens?: number;
    /**
     * Milliseconds after which the search returns what it found so far.
     */
    timeout_ms?: number;
    /**
     * `next_cursor` of an incomplete answer to the same request.
     */
    cursor?: string;
};

export type DefinitionView = {
    /**
     * Name below the definitions around it.
     */
    symbol: string;
    /**
     * Symbol of the definition around it or its owner; null at the top level.
     */
    parent: string | null;
    /**
     * Null if an earlier version indexed the content.
     */
    kind: 'definition' | 'class' | 'interface' | 'enum' | 'struct' | 'trait' | 'type' | 'function' | 'method' | 'constant' | 'module' | 'macro' | 'property' | null;
    precision: 'precise' | 'resolved' | 'name';
    /**
     * Match of the name with the query; `case` and `prefix_case` ignore case.
     */
    match: 'exact' | 'case' | 'prefix' | 'prefix_case' | 'humps';
    /**
     * The address of the definition at that version, where one is known.
     */
    url?: string;
    /**
     * Line of the name, from 1; null if an earlier version indexed the content.
     */
    line: number | null;
    /**
     * First column of the name in UTF-16 units, from 1.
     */
    column: number | null;
    /**
     * Lines of the definition; null where lines mean nothing.
     */
    start_line: number | null;
    end_line: number | null;
    name: string;
    source_id: string;
    source_name: string;
    path: string;
    /**
     * Commit or version of the content.
     */
    version_ref: string;
    language: string;
    is_stale: boolean;
};

export type PrecisionCounts = {
    precise: number;
    resolved: number;
    name: number;
};

export type DefinitionsView = {
    definitions: Array<DefinitionView>;
    /**
     * Number of definitions in this answer.
     */
    count: number;
    /**
     * Why it has not; left out of a complete answer.
     */
    incomplete_reason?: 'limit' | 'deadline' | 'content_missing';
    sources_searched: number;
    warnings: Array<string>;
    /**
     * Likely mistakes of the request; only for an empty answer.
     */
    hints: Array<string>;
    /**
     * The name or its beginning that was looked up.
     */
    query: string;
    precision: PrecisionCounts;
    /**
     * True if this answer has the last definitions that exist.
     */
    complete: boolean;
    /**
     * Continues where this answer ended; left out at the end.
     */
    next_cursor?: string;
    search_time_ms: number;
};

export type ReferenceView = {
    kind: 'definition' | 'reference' | 'import';
    precision: 'precise' | 'resolved' | 'name';
    /**
     * The address of the line at that version, where one is known.
     */
    url?: string;
    /**
     * Line of the identifier, from 1.
     */
    line: number;
    /**
     * First column of the identifier in UTF-16 units, from 1.
     */
    column: number;
    /**
     * Symbol of the innermost definition around the identifier; null at the top level.
     */
    symbol: string | null;
    source_id: string;
    source_name: string;
    path: string;
    /**
     * Commit or version of the content.
     */
    version_ref: string;
    language: string;
    is_stale: boolean;
    /**
     * The line, at most 1,000 characters.
     */
    text: string;
    /**
     * True where `text` is cut; left out elsewhere.
     */
    clipped?: boolean;
};

export type ReferencesView = {
    references: Array<ReferenceView>;
    /**
     * Number of references in this answer.
     */
    count: number;
    /**
     * Identifiers with the name that stand for another definition, or for a name in a function.
     */
    left_out: number;
    /**
     * Why it is not; left out of a complete answer.
     */
    incomplete_reason?: 'limit' | 'deadline' | 'content_missing';
    sources_searched: number;
    documents_examined: number;
    warnings: Array<string>;
    /**
     * Likely mistakes of the request; only for an empty answer.
     */
    hints: Array<string>;
    /**
     * The name that was looked up.
     */
    query: string;
    precision: PrecisionCounts;
    /**
     * True if every document in scope was examined, or every one after the cursor.
     */
    complete: boolean;
    /**
     * Continues where this answer ended; left out at the end.
     */
    next_cursor?: string;
    search_time_ms: number;
};

export type CitationView = {
    chunk_type: 'code' | 'docs' | 'openapi';
    /**
     * The address where a person can read the cited passage. For a repository on a known git host:
     * the file at the commit with its lines. For a page or a PDF on the web: its address. Left out
     * elsewhere.
     */
    url?: string;
    chunk_id: string;
    source_id: string;
    source_name: string;
    /**
     * File path or URL; of a page or a PDF with where in it the passage is: `#install`, `#page=3`.
     */
    path: string;
    /**
     * Function, class, heading trail or operation.
     */
    symbol?: string;
    /**
     * 1-based.
     */
    start_line?: number;
    /**
     * Inclusive.
     */
    end_line?: number;
    /**
     * Commit or version.
     */
    version_ref: string;
    language: string;
};

export type BestLinesView = {
    /**
     * 1-based.
     */
    start_line: number;
    /**
     * Inclusive.
     */
    end_line: number;
};

export type ScoreContributionView = {
    /**
     * `lexical` or `semantic`, a step of ranking such as `names`, `priority`, or `passages`.
     */
    name: string;
    value: number;
};

export type ScoreExplanationView = {
    score: number;
    /**
     * In the order of ranking; parts that changed nothing are left out.
     */
    contributions: Array<ScoreContributionView>;
};

export type SearchResultView = {
    content: string;
    /**
     * Relevance: 0 to 1, times the policy's source priority.
     */
    score: number;
    token_count: number;
    citation: CitationView;
    /**
     * Other places that matched with the same content, or as a translation of the page; at most 10,
     * the best first. Left out without any.
     */
    also_at?: Array<CitationView>;
    /**
     * At most eight of the cited lines that have most of the query's terms. Left out after
     * the tenth result, for at most eight cited lines, and where no line has a term.
     */
    best_lines?: BestLinesView;
    /**
     * Days since the source was last synced.
     */
    freshness_days: number;
    is_stale: boolean;
    /**
     * The computation of the score; only with `explain`.
     */
    explanation?: ScoreExplanationView;
};

export type EvidenceQualityView = {
    confidence: 'insufficient' | 'low' | 'medium' | 'high';
    /**
     * 0–1.
     */
    score: number;
    evidence_count: number;
    avg_freshness_days: number;
    has_conflicts: boolean;
};

export type StalenessSummaryView = {
    total_sources: number;
    fresh_sources: number;
    stale_sources: number;
    staleness_budget_days: number;
    stale_source_names: Array<string>;
};

export type ConflictView = {
    /**
     * `METHOD /path`
     */
    endpoint_key: string;
    sources: Array<string>;
    schema_hashes: Array<string>;
    description: string;
};

export type SearchResponseView = {
    results: Array<SearchResultView>;
    total_results: number;
    total_tokens: number;
    sources_searched: number;
    sources_with_results: number;
    evidence_quality: EvidenceQualityView;
    staleness_summary: StalenessSummaryView;
    conflicts: Array<ConflictView>;
    warnings: Array<string>;
    query: string;
    search_time_ms: number;
};

export type MultiHopSummaryView = {
    /**
     * Hybrid searches that ran, the first included.
     */
    rounds_executed: number;
    /**
     * Results of the first search, at most `top_k`.
     */
    seed_result_count: number;
    /**
     * Chunks in the answer that were added only as neighbors of a hit.
     */
    neighbors_added: number;
    secondary_search_ran: boolean;
    /**
     * Chunks in the answer that were joined with others into one result.
     */
    merged_chunk_count: number;
};

export type MultiHopResponseView = {
    results: Array<SearchResultView>;
    total_results: number;
    total_tokens: number;
    sources_searched: number;
    sources_with_results: number;
    evidence_quality: EvidenceQualityView;
    staleness_summary: StalenessSummaryView;
    conflicts: Array<ConflictView>;
    warnings: Array<string>;
    query: string;
    search_time_ms: number;
    rmh: MultiHopSummaryView;
};

export type NoEvidenceView = {
    message: string;
    query: string;
    sources_searched: number;
    suggestions: Array<string>;
};

export type SearchBody = {
    /**
     * The query: words, an identifier or a question.
     */
    query: string;
    /**
     * Search only these sources; unknown ids are ignored. Default: all.
     */
    source_ids?: ReadonlyArray<string>;
    /**
     * Budget over the tokens of all results.
     */
    max_tokens?: number;
    /**
     * Maximum number of results.
     */
    top_k?: number;
    /**
     * False leaves stale results out, where the policy enforces staleness.
     */
    include_stale?: boolean;
    /**
     * Only documents whose path matches one of these globs; with all alternatives written out, at
     * most 16,384 characters.
     */
    path_patterns?: ReadonlyArray<string>;
    /**
     * Only chunks in one of these languages, such as `python`.
     */
    languages?: ReadonlyArray<string>;
    /**
     * True adds to each result how its score was computed.
     */
    explain?: boolean;
    /**
     * Searches the content and policy of this time, inclusive, by the `recorded_at` of the audit
     * trail. Default: now.
     */
    as_of?: string;
    /**
     * Searches the content and policy as of this record of the audit trail, inclusive.
     */
    as_of_seq?: number;
};

export type MultiHopSearchBody = {
    /**
     * The query: words, an identifier or a question.
     */
    query: string;
    /**
     * Search only these sources; unknown ids are ignored. Default: all.
     */
    source_ids?: ReadonlyArray<string>;
    /**
     * Budget over the tokens of all results.
     */
    max_tokens?: number;
    /**
     * Maximum number of results.
     */
    top_k?: number;
    /**
     * False leaves stale results out, where the policy enforces staleness.
     */
    include_stale?: boolean;
    /**
     * Only documents whose path matches one of these globs; with all alternatives written out, at
     * most 16,384 characters.
     */
    path_patterns?: ReadonlyArray<string>;
    /**
     * Only chunks in one of these languages, such as `python`.
     */
    languages?: ReadonlyArray<string>;
    /**
     * Maximum number of hybrid searches, the first included.
     */
    max_rounds?: number;
    /**
     * Lines around each hit from which further chunks of its file are taken.
     */
    neighbor_line_radius?: number;
    /**
     * False leaves each hit as it is: no neighbors are added and nothing is joined.
     */
    expand_neighbors?: boolean;
    /**
     * False ends after the first search; true goes on with the query and words of the best hits.
     */
    secondary_search?: boolean;
};

export type ChatTokenView = {
    /**
     * The next piece of the answer.
     */
    token: string;
};

export type ChatCitationView = {
    /**
     * The mark in the answer that it belongs to: `[1]`.
     */
    number: number;
    source_name: string;
    /**
     * The passage, at most 1,000 characters of it.
     */
    content: string;
    /**
     * 0–1.
     */
    score: number;
    /**
     * File path or URL.
     */
    path: string;
    source_id: string;
    chunk_id: string;
    symbol?: string;
    /**
     * 1-based.
     */
    start_line?: number;
    /**
     * Inclusive.
     */
    end_line?: number;
    version_ref: string;
    /**
     * The address where a person can read it, where that is known.
     */
    url?: string;
};

export type ChatSummaryView = {
    /**
     * Sentences for the reader of the answer: content that could not be searched, and why; missing
     * citations; a cut-off answer. Left out where there are none.
     */
    notices?: Array<string>;
    /**
     * Citations of the answer, in the order of their marks.
     */
    citations: Array<ChatCitationView>;
    /**
     * Until the evidence was found, milliseconds.
     */
    search_time_ms: number;
    /**
     * Time that the model took, in milliseconds.
     */
    completion_time_ms: number;
    total_time_ms: number;
    /**
     * Identifier of the model; `none` where there was nothing to ask one about.
     */
    model_used: string;
    /**
     * GET /receipts/{id} returns the answer's evidence.
     */
    receipt_id: string;
    /**
     * Left out where the answer belongs to no conversation.
     */
    conversation_id?: string;
};

export type ChatBody = {
    /**
     * The question.
     */
    query: string;
    /**
     * Continues a conversation of the signed-in person.
     */
    conversation_id?: string;
    /**
     * Maximum number of documents (files, pages) that the answer may cite, with as many passages as
     * the budget allows.
     */
    top_k?: number;
    /**
     * Budget over the tokens of those passages.
     */
    max_context_tokens?: number;
    /**
     * Whether packages that the tenant has linked are looked in too.
     */
    include_global?: boolean;
    /**
     * Look only in these sources; unknown ids are ignored. Default: all.
     */
    source_ids?: ReadonlyArray<string>;
    /**
     * `service_docs`: look in Footnote's own documentation, and nowhere else.
     */
    scope?: 'service_docs';
};

export type ChatResponseView = {
    /**
     * Sentences for the reader of the answer: content that could not be searched, and why; missing
     * citations; a cut-off answer. Left out where there are none.
     */
    notices?: Array<string>;
    /**
     * Citations of the answer, in the order of their marks.
     */
    citations: Array<ChatCitationView>;
    /**
     * Until the evidence was found, milliseconds.
     */
    search_time_ms: number;
    /**
     * Time that the model took, in milliseconds.
     */
    completion_time_ms: number;
    total_time_ms: number;
    /**
     * Identifier of the model; `none` where there was nothing to ask one about.
     */
    model_used: string;
    /**
     * GET /receipts/{id} returns the answer's evidence.
     */
    receipt_id: string;
    /**
     * Left out where the answer belongs to no conversation.
     */
    conversation_id?: string;
    /**
     * The answer; `[1]` marks what it cites.
     */
    answer: string;
};

export type PackageMention = {
    /**
     * As people write it: `react`, `@nestjs/core`.
     */
    package_name: string;
    ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
};

export type ChatStreamBody = {
    /**
     * The question.
     */
    query: string;
    /**
     * Continues a conversation of the signed-in person.
     */
    conversation_id?: string;
    /**
     * Maximum number of documents (files, pages) that the answer may cite, with as many passages as
     * the budget allows.
     */
    top_k?: number;
    /**
     * Budget over the tokens of those passages.
     */
    max_context_tokens?: number;
    /**
     * Whether packages that the tenant has linked are looked in too.
     */
    include_global?: boolean;
    /**
     * Look only in these sources; unknown ids are ignored. Default: all.
     */
    source_ids?: ReadonlyArray<string>;
    /**
     * `service_docs`: look in Footnote's own documentation, and nowhere else.
     */
    scope?: 'service_docs';
    /**
     * Packages to look in too, in their latest versions; those that are not indexed yet are first,
     * within a time.
     */
    package_mentions?: ReadonlyArray<PackageMention>;
};

export type CreateConversationBody = {
    /**
     * Default: made from the first question.
     */
    title?: string;
};

export type ConversationView = {
    /**
     * Null until the first question.
     */
    title: string | null;
    created_at: string;
    /**
     * Time of the last turn or other change.
     */
    updated_at: string;
    id: string;
};

export type ConversationList = {
    conversations: Array<ConversationView>;
    total: number;
};

export type ConversationMessageView = {
    role: 'user' | 'assistant';
    created_at: string;
    content: string;
    /**
     * Citations of an answer; absent in questions.
     */
    citations?: Array<ChatCitationView>;
    /**
     * Only in answers: GET /receipts/{id} returns the evidence.
     */
    receipt_id?: string;
};

export type ConversationDocumentView = {
    uploaded_at: string;
    document_id: string;
    file_name: string;
    /**
     * Whether turns find it yet.
     */
    is_indexed: boolean;
};

export type ConversationDetailView = {
    /**
     * Null until the first question.
     */
    title: string | null;
    created_at: string;
    /**
     * Time of the last turn or other change.
     */
    updated_at: string;
    id: string;
    /**
     * Oldest first.
     */
    messages: Array<ConversationMessageView>;
    /**
     * Oldest first.
     */
    documents: Array<ConversationDocumentView>;
};

export type UpdateConversationBody = {
    title: string;
};

export type UploadPdfForm = {
    /**
     * The PDF.
     */
    file: Blob | File;
    /**
     * The conversation of the signed-in person that it is put into.
     */
    conversation_id: string;
};

export type UploadedPdfView = {
    document_id: string;
    file_name: string;
    pages: number;
    chunks: number;
    conversation_id: string;
};

export type PackageSearchResultView = {
    content: string;
    /**
     * Relevance: 0 to 1, times the policy's priority of repositories.
     */
    score: number;
    token_count: number;
    citation: CitationView;
};

export type PackageReleaseView = {
    ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
    name: string;
    version: string;
};

export type PackageSearchResponseView = {
    /**
     * Warnings of its registry about the release (deprecated by its author, withdrawn), and of a
     * reranker that did not order the results. Left out where there are none.
     */
    warnings?: Array<string>;
    query: string;
    results: Array<PackageSearchResultView>;
    total_results: number;
    /**
     * From the request's arrival on, fetching and indexing included.
     */
    search_time_ms: number;
    package: PackageReleaseView;
    /**
     * True if the package was indexed already.
     */
    cached: boolean;
};

export type PackageSearchBody = {
    /**
     * As people write it: `react`, `@nestjs/core`, `zope.interface`, `com.google.guava:guava`.
     */
    package_name: string;
    ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
    /**
     * Exact: no range and no tag. Default: the latest that is no pre-release.
     */
    version?: string;
    /**
     * The query: words, an identifier or a question.
     */
    query: string;
    /**
     * Maximum number of results.
     */
    top_k?: number;
};

export type GlobalPackageView = {
    ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
    description: string | null;
    homepage: string | null;
    license: string | null;
    /**
     * `dropped`: its content is not held, because nobody used it for long; the next search or link
     * has it fetched again.
     */
    status: 'pending' | 'syncing' | 'synced' | 'error' | 'dropped';
    /**
     * Time when its content was last confirmed; null while it is not indexed.
     */
    indexed_at: string | null;
    /**
     * Warnings of its registry.
     */
    notices: Array<string>;
    created_at: string;
    updated_at: string;
    package_id: string;
    name: string;
    version: string;
    file_count: number;
    chunk_count: number;
};

export type GlobalPackageList = {
    packages: Array<GlobalPackageView>;
    total: number;
};

export type AddPackageBody = {
    ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
    name: string;
    /**
     * Exact: no range and no tag. Default: the latest that is no pre-release.
     */
    version?: string;
};

export type PackageLinkView = {
    ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
    /**
     * Status of the package.
     */
    status: 'pending' | 'syncing' | 'synced' | 'error' | 'dropped';
    /**
     * The job that indexes it, or did; GET /jobs/{job_id} shows it to who links the package. Null
     * before there is one.
     */
    job_id: string | null;
    created_at: string;
    link_id: string;
    package_id: string;
    name: string;
    version: string;
};

export type PackageLinkList = {
    packages: Array<PackageLinkView>;
    total: number;
};

export type PackageCodeSearchView = {
    /**
     * Why it is not; left out of a complete answer.
     */
    incomplete_reason?: 'limit' | 'deadline' | 'content_missing' | 'blank_lines';
    query: CodeQueryView;
    /**
     * By policy priority and name of their sources, then by path.
     */
    files: Array<CodeFileView>;
    /**
     * Only of a query with `type:repo`: the sources with a matching document, each once.
     */
    sources?: Array<CodeSourceView>;
    /**
     * Matching lines of this answer: exact if the search is complete, else a lower bound.
     */
    count: number;
    /**
     * True if every document in scope was examined, of a first page, or every one after the cursor: a
     * complete, empty answer proves absence.
     */
    complete: boolean;
    /**
     * Continues where this answer ended; left out at the end.
     */
    next_cursor?: string;
    sources_searched: number;
    documents_examined: number;
    /**
     * Sources of which the sync left files out or removed secrets.
     */
    left_out: Array<LeftOutView>;
    warnings: Array<string>;
    /**
     * Likely mistakes of the request; only for an empty answer.
     */
    hints: Array<string>;
    search_time_ms: number;
    package: PackageReleaseView;
    /**
     * True if the package was indexed already.
     */
    cached: boolean;
};

export type PackageCodeSearchEndView = {
    /**
     * Why it is not; left out of a complete answer.
     */
    incomplete_reason?: 'limit' | 'deadline' | 'content_missing' | 'blank_lines';
    query: CodeQueryView;
    /**
     * Only of a query with `type:repo`: the sources with a matching document, each once.
     */
    sources?: Array<CodeSourceView>;
    /**
     * Matching lines of this answer: exact if the search is complete, else a lower bound.
     */
    count: number;
    /**
     * True if every document in scope was examined, of a first page, or every one after the cursor: a
     * complete, empty answer proves absence.
     */
    complete: boolean;
    /**
     * Continues where this answer ended; left out at the end.
     */
    next_cursor?: string;
    sources_searched: number;
    documents_examined: number;
    /**
     * Sources of which the sync left files out or removed secrets.
     */
    left_out: Array<LeftOutView>;
    warnings: Array<string>;
    /**
     * Likely mistakes of the request; only for an empty answer.
     */
    hints: Array<string>;
    search_time_ms: number;
    package: PackageReleaseView;
    /**
     * True if the package was indexed already.
     */
    cached: boolean;
    /**
     * The receipt of the whole answer.
     */
    receipt_id: string;
};

export type PackageCodeSearchBody = {
    /**
     * Text or regular expression that a line must contain. Give it or `query`.
     */
    pattern?: string;
    /**
     * Query in place of `pattern`: words, "phrases", /expressions/, `repo:`, `file:`, `lang:`,
     * `sym:`, `content:`, `case:`, `type:`, `-`, `or` and parentheses.
     */
    query?: string;
    /**
     * True: the pattern is a regular expression in the syntax of Rust's `regex`.
     */
    regex?: boolean;
    case_sensitive?: boolean;
    /**
     * True: matches begin and end at word boundaries.
     */
    word?: boolean;
    /**
     * Only documents whose path matches one of these globs.
     */
    path_patterns?: ReadonlyArray<string>;
    /**
     * Only documents in one of these languages, such as `python`.
     */
    languages?: ReadonlyArray<string>;
    /**
     * False leaves stale sources out, where the policy enforces staleness.
     */
    include_stale?: boolean;
    /**
     * Lines before and after each match.
     */
    context_lines?: number;
    /**
     * Maximum number of matching lines. Over 1,000 only with `max_tokens`, or as `text/plain`, which
     * is then sent while it is found.
     */
    limit?: number;
    /**
     * Maximum tokens of the lines in their text form (`path:line:text`). Default: no bound.
     */
    max_tokens?: number;
    /**
     * Milliseconds after which the search returns what it found so far.
     */
    timeout_ms?: number;
    /**
     * `next_cursor` of an incomplete answer to the same request.
     */
    cursor?: string;
    /**
     * As people write it: `react`, `@nestjs/core`, `zope.interface`, `com.google.guava:guava`.
     */
    package_name: string;
    ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
    /**
     * Exact: no range and no tag. Default: the latest that is no pre-release.
     */
    version?: string;
};

export type PackageFileView = {
    generation: number;
    /**
     * Null for a file without text.
     */
    language: string | null;
    from_line: number;
    /**
     * Last line in this answer; 0 for an empty file.
     */
    to_line: number;
    total_lines: number;
    /**
     * First line of the next request; null at the end.
     */
    next_line: number | null;
    /**
     * Lines without their `\n`; a `\r` stays.
     */
    lines: Array<string>;
    /**
     * Reasons for which it can differ; empty if it is exact.
     */
    differences: Array<'converted' | 'unknown_gaps' | 'redacted' | 'not_utf8'>;
    /**
     * Warnings of its registry about the release: deprecated by its author, withdrawn.
     */
    warnings: Array<string>;
    source_id: string;
    version_ref: string;
    path: string;
    /**
     * True if the last line of the file ends with `\n`.
     */
    final_newline: boolean;
    /**
     * True if the text equals the fetched bytes.
     */
    exact: boolean;
    /**
     * Git blob id or content hash of the fetched file.
     */
    version: string;
    package: PackageReleaseView;
    /**
     * True if the package was indexed already.
     */
    cached: boolean;
};

export type PackageTreeView = {
    generation: number;
    /**
     * Number of entries on all pages.
     */
    total: number;
    entries: Array<TreeEntryView>;
    /**
     * Warnings of its registry about the release: deprecated by its author, withdrawn.
     */
    warnings: Array<string>;
    source_id: string;
    version_ref: string;
    package: PackageReleaseView;
    /**
     * True if the package was indexed already.
     */
    cached: boolean;
};

export type PackageDefinitionsView = {
    definitions: Array<DefinitionView>;
    /**
     * Number of definitions in this answer.
     */
    count: number;
    /**
     * Why it has not; left out of a complete answer.
     */
    incomplete_reason?: 'limit' | 'deadline' | 'content_missing';
    sources_searched: number;
    warnings: Array<string>;
    /**
     * Likely mistakes of the request; only for an empty answer.
     */
    hints: Array<string>;
    /**
     * The name or its beginning that was looked up.
     */
    query: string;
    precision: PrecisionCounts;
    /**
     * True if this answer has the last definitions that exist.
     */
    complete: boolean;
    /**
     * Continues where this answer ended; left out at the end.
     */
    next_cursor?: string;
    search_time_ms: number;
    package: PackageReleaseView;
    /**
     * True if the package was indexed already.
     */
    cached: boolean;
};

export type PackageReferencesView = {
    references: Array<ReferenceView>;
    /**
     * Number of references in this answer.
     */
    count: number;
    /**
     * Identifiers with the name that stand for another definition, or for a name in a function.
     */
    left_out: number;
    /**
     * Why it is not; left out of a complete answer.
     */
    incomplete_reason?: 'limit' | 'deadline' | 'content_missing';
    sources_searched: number;
    documents_examined: number;
    warnings: Array<string>;
    /**
     * Likely mistakes of the request; only for an empty answer.
     */
    hints: Array<string>;
    /**
     * The name that was looked up.
     */
    query: string;
    precision: PrecisionCounts;
    /**
     * True if every document in scope was examined, or every one after the cursor.
     */
    complete: boolean;
    /**
     * Continues where this answer ended; left out at the end.
     */
    next_cursor?: string;
    search_time_ms: number;
    package: PackageReleaseView;
    /**
     * True if the package was indexed already.
     */
    cached: boolean;
};

export type CreateRoverJobBody = {
    question: string;
    /**
     * GitHub repositories to read, at most 3 in mode `fast`. Default: the job chooses them.
     */
    repos?: ReadonlyArray<string>;
    mode?: 'fast' | 'deep';
};

export type RoverStepView = {
    kind: 'understand' | 'choose' | 'read' | 'search' | 'follow' | 'check' | 'write';
    status: 'running' | 'completed' | 'failed';
    started_at: string;
    completed_at: string | null;
    /**
     * Counters of the step, or why it failed.
     */
    detail: string | null;
    id: string;
    title: string;
};

export type RoverCitationView = {
    chunk_type: 'code' | 'docs' | 'openapi';
    /**
     * The address where a person can read the cited passage. For a repository on a known git host:
     * the file at the commit with its lines. For a page or a PDF on the web: its address. Left out
     * elsewhere.
     */
    url?: string;
    chunk_id: string;
    source_id: string;
    source_name: string;
    /**
     * File path or URL; of a page or a PDF with where in it the passage is: `#install`, `#page=3`.
     */
    path: string;
    /**
     * Function, class, heading trail or operation.
     */
    symbol?: string;
    /**
     * 1-based.
     */
    start_line?: number;
    /**
     * Inclusive.
     */
    end_line?: number;
    /**
     * Commit or version.
     */
    version_ref: string;
    language: string;
    /**
     * Number of the citation in the answer.
     */
    id: string;
    /**
     * `owner/repo`
     */
    repo: string;
    content: string;
    /**
     * SHA-256 of `content` in UTF-8.
     */
    sha256: string;
    /**
     * Id of the file's blob in git; left out if it was unknown.
     */
    blob_id?: string;
};

export type RoverClaimView = {
    support: 'quoted' | 'supported' | 'weak';
    text: string;
    /**
     * Ids of citations.
     */
    citations: Array<string>;
};

export type RoverSectionView = {
    title: string;
    claims: Array<RoverClaimView>;
};

export type RoverReadView = {
    commit: string | null;
    reason: string | null;
    /**
     * `tenant`: a source of the tenant served, so that nothing was cloned. `temporary`: a source of
     * rover jobs alone. Null if the repository was not read.
     */
    origin: 'temporary' | 'tenant' | null;
    repo: string;
    files: number;
    chunks: number;
    complete: boolean;
};

export type RoverAmountsView = {
    seconds: number;
    rounds: number;
    repositories: number;
    searches: number;
    model_calls: number;
    prompt_tokens: number;
};

export type RoverUsageView = {
    completion_tokens: number;
    budget: RoverAmountsView;
    seconds: number;
    rounds: number;
    repositories: number;
    searches: number;
    model_calls: number;
    prompt_tokens: number;
};

export type RoverJobView = {
    mode: 'fast' | 'deep';
    status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
    /**
     * 0–100.
     */
    progress_percent: number;
    /**
     * Markdown; null until the job is completed.
     */
    answer: string | null;
    confidence: 'insufficient' | 'low' | 'medium' | 'high' | null;
    /**
     * Id for `GET /receipts/{id}`; null until the job is completed.
     */
    receipt_id: string | null;
    error_message: string | null;
    created_at: string;
    started_at: string | null;
    completed_at: string | null;
    id: string;
    question: string;
    /**
     * As requested; empty if the job chooses.
     */
    repos: Array<string>;
    /**
     * In the order of their start.
     */
    steps: Array<RoverStepView>;
    citations: Array<RoverCitationView>;
    sections: Array<RoverSectionView>;
    /**
     * Parts of the question without evidence.
     */
    not_found: Array<string>;
    read: Array<RoverReadView>;
    usage: RoverUsageView;
};

export type RoverJobList = {
    jobs: Array<RoverJobView>;
    total: number;
    page: number;
    per_page: number;
};

export type RoverStatusView = {
    status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
    progress_percent: number;
};

export type RoverTokenView = {
    /**
     * The next part of the answer.
     */
    token: string;
};

export type RoverCitationCheckView = {
    /**
     * `matches`: the commit has the cited text. `changed`: the host no longer has the commit, or its
     * lines have another text. `gone`: the host no longer has the file or the repository.
     */
    status: 'matches' | 'changed' | 'gone';
    detail: string | null;
    /**
     * Id of the citation in the answer.
     */
    id: string;
    /**
     * `owner/repo`
     */
    repo: string;
    commit: string;
    path: string;
};

export type RoverVerificationView = {
    verified_at: string;
    id: string;
    /**
     * Number of citations with this status, as the two after it.
     */
    matches: number;
    changed: number;
    gone: number;
    citations: Array<RoverCitationCheckView>;
};

export type ProtectedResourceView = {
    resource: string;
    resource_name: string;
    authorization_servers: Array<string>;
    scopes_supported: Array<string>;
    bearer_methods_supported: Array<string>;
};

export type ReceiptAnswerView = {
    outcome: 'answered' | 'no_evidence' | 'abandoned';
    /**
     * Null where no model was asked.
     */
    model: string | null;
    /**
     * Null once the tenant's data key was destroyed.
     */
    text: string | null;
    /**
     * Numbers of `results`, from 1, that the answer cites.
     */
    cited: Array<number>;
    /**
     * Tokens as the model counts them; left out where it counts none.
     */
    prompt_tokens?: number;
    completion_tokens?: number;
};

export type ReceiptParametersView = {
    max_tokens: number;
    top_k: number;
    include_stale: boolean;
    /**
     * Left out where the search named none.
     */
    source_ids?: Array<string>;
    path_patterns?: Array<string>;
    languages?: Array<string>;
    /**
     * Multi-hop searches only, as the three after it.
     */
    max_rounds?: number;
    neighbor_line_radius?: number;
    expand_neighbors?: boolean;
    secondary_search?: boolean;
    /**
     * Code searches only, as the four after it; their limit is `top_k`.
     */
    regex?: boolean;
    case_sensitive?: boolean;
    word?: boolean;
    context_lines?: number;
    /**
     * Left out of a first page.
     */
    cursor?: string;
};

export type SourcePrioritiesView = {
    repo: number;
    docs_html: number;
    docs_openapi: number;
};

export type ReceiptPolicyView = {
    staleness_budget_seconds: number;
    source_priorities: SourcePrioritiesView;
    min_evidence_count: number;
    min_evidence_score: number;
    enforce_staleness: boolean;
    enforce_refusal: boolean;
};

export type ReceiptGenerationView = {
    source_id: string;
    source_name: string;
    generation: number;
    version_ref: string;
    synced_at: string;
    /**
     * False once it was dropped: the search cannot be replayed then.
     */
    kept: boolean;
};

export type ReceiptRerankerView = {
    /**
     * Without `applied`, the results have the order without the reranker.
     */
    outcome: 'applied' | 'late' | 'failed';
    model: string;
};

export type ReceiptResultView = {
    /**
     * 0–1, to six decimals as all scores here; null for a chunk that was added only as a neighbor of
     * a hit.
     */
    keyword_score: number | null;
    vector_score: number | null;
    /**
     * Combined score of both retrievers, after the ranker's boosts and priors, before the source
     * priority.
     */
    combined_score: number | null;
    chunk_id: string;
    source_id: string;
    generation: number;
    /**
     * The policy's, of the source's type.
     */
    priority: number;
    /**
     * As the answer had it.
     */
    score: number;
};

export type ReceiptCodeView = {
    /**
     * Matching lines, and the documents that contain them.
     */
    lines: number;
    files: number;
    /**
     * Documents that were examined as a whole.
     */
    documents: number;
    /**
     * Lines of the next document that were examined; left out if none were.
     */
    partial_lines?: number;
    /**
     * True if every document in scope was examined: without lines, the pattern occurred nowhere.
     */
    complete: boolean;
    /**
     * Why it is not complete; left out where it is.
     */
    reason?: string;
    /**
     * SHA-256 over source, generation, path, line and ranges of each matching line.
     */
    digest: string;
};

export type ReceiptView = {
    kind: 'search' | 'rmh' | 'chat' | 'code';
    /**
     * Null once the tenant's data key was destroyed, the filters among the parameters with it.
     */
    query: string | null;
    /**
     * Past moment that was searched, whose clock counts; absent for the present.
     */
    as_of?: string;
    /**
     * Record of the audit trail that the moment is; null before the first.
     */
    as_of_seq?: number | null;
    /**
     * Revision of the policy's stream; null while the policy was never changed.
     */
    policy_revision: number | null;
    /**
     * Version of the ranking that ordered the results; null for versions before 2.
     */
    ranking_version: number | null;
    /**
     * Version of the retrievers; null for versions before 2, which compared every vector.
     */
    retrieval_version: number | null;
    outcome: 'results' | 'no_evidence';
    id: string;
    /**
     * The search's clock: what age and staleness were counted to.
     */
    created_at: string;
    query_erased: boolean;
    /**
     * Only for a chat whose question was searched for in other words: the question as it was asked.
     */
    question?: string;
    /**
     * Only for a chat. Left out where it has no answer: the model failed, or is still writing.
     */
    answer?: ReceiptAnswerView;
    parameters: ReceiptParametersView;
    policy: ReceiptPolicyView;
    /**
     * Everything live of the tenant then: what was searched, less `source_ids`, and what term
     * statistics were taken over.
     */
    live_generations: Array<ReceiptGenerationView>;
    /**
     * True where some of that could not be searched, because its content was missing: the search
     * cannot be replayed then.
     */
    incomplete: boolean;
    /**
     * Models that the query was embedded with.
     */
    models: Array<string>;
    /**
     * The reranker of the search. Left out if none was asked, and once the query was erased.
     */
    reranker?: ReceiptRerankerView;
    results: Array<ReceiptResultView>;
    /**
     * Only for a code search, which has no `results`.
     */
    code?: ReceiptCodeView;
};

export type RoverSearchView = {
    query: string;
    /**
     * Number of its results.
     */
    results: number;
};

export type RoverReceiptView = {
    kind: 'rover';
    /**
     * End of the job.
     */
    created_at: string;
    /**
     * Revision of the policy's stream; null while the policy was never changed.
     */
    policy_revision: number | null;
    /**
     * `rules`, or the id of a model; null once erased.
     */
    planner: string | null;
    /**
     * Id of the rover job.
     */
    id: string;
    question: string;
    /**
     * True once the tenant's data key was destroyed; then nothing below is known.
     */
    erased: boolean;
    /**
     * Repositories with their commits.
     */
    read: Array<RoverReadView>;
    policy: ReceiptPolicyView;
    /**
     * In the order in which they ran.
     */
    searches: Array<RoverSearchView>;
    citations: Array<RoverCitationView>;
};

export type CreateKeyBody = {
    /**
     * Human-readable name.
     */
    name: string;
    /**
     * Time when the key stops working: no later than the key of the request does, which is the
     * default. If the key of the request has no end, the default is no end.
     */
    expires_at?: string;
    /**
     * Rights of the key. Default `read` and `write`.
     */
    scopes?: ReadonlyArray<'read' | 'write' | 'audit'>;
};

export type IssuedKeyView = {
    scopes: Array<'read' | 'write' | 'audit'>;
    /**
     * The secret.
     */
    key?: string;
    created_at: string;
    expires_at: string | null;
    id: string;
    name: string;
    /**
     * The first characters of the secret.
     */
    prefix: string;
};

export type KeyView = {
    scopes: Array<'read' | 'write' | 'audit'>;
    created_at: string;
    expires_at: string | null;
    /**
     * The last use that the answering process saw, shown at once. Of uses that others saw it shows
     * the first in each hour (UTC), within a second or so. Null where it never was used.
     */
    last_used_at: string | null;
    revoked_at: string | null;
    id: string;
    name: string;
    prefix: string;
};

export type KeyList = {
    keys: Array<KeyView>;
    total: number;
};

export type RegisterBody = {
    /**
     * Signs in with it; the same address in another case is the same address.
     */
    email: string;
    password: string;
    /**
     * Name of the tenant that is made.
     */
    tenant_name: string;
};

export type MeView = {
    display_name: string | null;
    role: 'owner' | 'member' | 'auditor';
    /**
     * Latest end of the session; it ends earlier after an hour without a request.
     */
    session_ends_at: string;
    id: string;
    email: string;
    tenant_id: string;
    tenant_name: string;
    /**
     * The value that unsafe requests with this session's cookie send as `X-CSRF-Token`.
     */
    csrf_token: string;
};

export type SignInMethodsView = {
    /**
     * True if `POST /auth/login` accepts passwords.
     */
    password: boolean;
    /**
     * True if `POST /auth/register` creates tenants.
     */
    registration: boolean;
    /**
     * True if `GET /auth/oidc/login` leads to an identity provider.
     */
    provider: boolean;
};

export type LoginBody = {
    email: string;
    password: string;
};

export type UpdateMeBody = {
    /**
     * The person's name as others see it; null for none.
     */
    display_name?: string | null;
};

export type EraseMeBody = {
    /**
     * The address or the id of the account, to show that it is meant: what is erased cannot come
     * back.
     */
    confirm: string;
};

export type ChangePasswordBody = {
    current_password: string;
    new_password: string;
};

export type MemberView = {
    display_name: string | null;
    role: 'owner' | 'member' | 'auditor';
    created_at: string;
    user_id: string;
    /**
     * `[erased]` where the keys that it was sealed with are gone.
     */
    email: string;
};

export type MemberList = {
    members: Array<MemberView>;
    total: number;
};

export type ChangeRoleBody = {
    /**
     * The member's new role.
     */
    role: 'owner' | 'member' | 'auditor';
};

export type InviteBody = {
    /**
     * The role of the person who accepts.
     */
    role: 'owner' | 'member' | 'auditor';
    /**
     * The only address that may accept; without it everyone who has the link may.
     */
    email?: string;
};

export type IssuedInvitationView = {
    role: 'owner' | 'member' | 'auditor';
    /**
     * Null: everyone who has the link may accept.
     */
    email: string | null;
    status: 'open' | 'accepted' | 'revoked' | 'expired';
    created_at: string;
    expires_at: string;
    /**
     * Id of the member that it made; null before.
     */
    accepted_by: string | null;
    /**
     * Goes into the one-time link.
     */
    token?: string;
    id: string;
};

export type InvitationView = {
    role: 'owner' | 'member' | 'auditor';
    /**
     * Null: everyone who has the link may accept.
     */
    email: string | null;
    status: 'open' | 'accepted' | 'revoked' | 'expired';
    created_at: string;
    expires_at: string;
    /**
     * Id of the member that it made; null before.
     */
    accepted_by: string | null;
    id: string;
};

export type InvitationList = {
    invitations: Array<InvitationView>;
    total: number;
};

export type AcceptInvitationBody = {
    /**
     * The token of the link.
     */
    token: string;
    /**
     * The new account's address.
     */
    email: string;
    password: string;
};

export type PolicyView = {
    created_at: string;
    updated_at: string;
    id: string;
    name: string;
    staleness_budget_seconds: number;
    /**
     * Derived from the seconds.
     */
    staleness_budget_days: number;
    source_priorities: SourcePrioritiesView;
    min_evidence_count: number;
    min_evidence_score: number;
    enforce_staleness: boolean;
    enforce_refusal: boolean;
};

export type SourcePrioritiesBody = {
    /**
     * Repositories.
     */
    repo?: number;
    /**
     * HTML docs.
     */
    docs_html?: number;
    /**
     * OpenAPI docs.
     */
    docs_openapi?: number;
};

export type UpdatePolicyBody = {
    /**
     * Age after which a source counts as stale, in seconds.
     */
    staleness_budget_seconds?: number;
    source_priorities?: SourcePrioritiesBody;
    /**
     * Fewer relevant results than this refuse, where refusal is enforced.
     */
    min_evidence_count?: number;
    /**
     * A top score below this refuses, where refusal is enforced.
     */
    min_evidence_score?: number;
    /**
     * Mark stale results and warn.
     */
    enforce_staleness?: boolean;
    /**
     * Answer with a refusal instead of weak results.
     */
    enforce_refusal?: boolean;
};

export type HistoryEntryView = {
    /**
     * Number of the record in the audit trail; `as_of_seq` takes it.
     */
    seq: number;
    /**
     * Id of the record in the audit trail.
     */
    id: string;
    action: string;
    /**
     * Revision of the stream of the resource, or of its job.
     */
    revision: number;
    /**
     * By the writer's clock.
     */
    occurred_at: string;
    /**
     * By the log's clock; never before that of an earlier entry.
     */
    recorded_at: string;
    /**
     * Null for background work.
     */
    request_id: string | null;
    /**
     * Fields that changed.
     */
    changes: Array<AuditChangeView>;
    actor: AuditActorView;
};

export type HistoryList = {
    entries: Array<HistoryEntryView>;
    /**
     * The `after` of the next page; null at the end.
     */
    next: number | null;
};

export type PolicyDiffView = {
    /**
     * Record of the audit trail that the first moment is.
     */
    from_seq: number;
    /**
     * Record of the audit trail that the second moment is.
     */
    to_seq: number;
    changes: Array<AuditChangeView>;
};

export type RollbackPolicyBody = {
    /**
     * Revision of the policy to restore, as `GET /policy/history` shows it.
     */
    revision: number;
};

export type PolicyRollbackView = {
    /**
     * Settings that the rollback changed.
     */
    changes: Array<AuditChangeView>;
    /**
     * False if the policy already had these settings; no event is added then.
     */
    changed: boolean;
    policy: PolicyView;
};

export type SimulatePolicyBody = {
    /**
     * Settings to try; absent ones are those of the current policy.
     */
    policy: UpdatePolicyBody;
    /**
     * Maximum number of the last searches to repeat.
     */
    last?: number;
};

export type SimulationSkippedView = {
    code: string;
    count: number;
};

export type SimulationExampleView = {
    effects: Array<'refused' | 'answered' | 'dropped' | 'added' | 'reordered'>;
    /**
     * Number of results then.
     */
    results_before: number;
    /**
     * Number of results under the simulated policy.
     */
    results_after: number;
    receipt_id: string;
};

export type PolicySimulationView = {
    /**
     * Settings that differ from the current policy.
     */
    changes: Array<AuditChangeView>;
    /**
     * Number of searches that were repeated.
     */
    simulated: number;
    /**
     * Searches with results then and a refusal now.
     */
    refused: number;
    /**
     * Searches with a refusal then and results now.
     */
    answered: number;
    /**
     * Searches that lose some results.
     */
    dropped: number;
    /**
     * Searches that gain some results.
     */
    added: number;
    /**
     * Searches whose remaining results change their order.
     */
    reordered: number;
    /**
     * Searches with the same results in the same order.
     */
    unchanged: number;
    skipped: Array<SimulationSkippedView>;
    /**
     * Up to 20 searches that change, the newest first.
     */
    examples: Array<SimulationExampleView>;
    /**
     * False if time ran out before all of these searches were repeated.
     */
    complete: boolean;
};

export type SearchesBucketView = {
    /**
     * First moment of the bucket; the first bucket may begin before `from`.
     */
    start: string;
    /**
     * Answered searches of all kinds.
     */
    searches: number;
    /**
     * Simple searches.
     */
    search: number;
    /**
     * Multi-hop searches.
     */
    rmh: number;
    /**
     * Searches of chat questions.
     */
    chat: number;
    /**
     * Exact and regular-expression searches.
     */
    code: number;
};

export type SearchesAnalyticsView = {
    buckets: Array<SearchesBucketView>;
};

export type NoEvidenceBucketView = {
    /**
     * First moment of the bucket; the first bucket may begin before `from`.
     */
    start: string;
    /**
     * Part of the searches, from 0 to 1; null without searches.
     */
    share: number | null;
    searches: number;
    /**
     * Searches that found no evidence, or not enough for the policy.
     */
    no_evidence: number;
};

export type NoEvidenceAnalyticsView = {
    buckets: Array<NoEvidenceBucketView>;
};

export type StaleHitsBucketView = {
    /**
     * First moment of the bucket; the first bucket may begin before `from`.
     */
    start: string;
    searches: number;
    /**
     * Searches with results of a stale source.
     */
    stale_searches: number;
    /**
     * Own sources with results, counted once per search.
     */
    source_hits: number;
    /**
     * Those that were older than the staleness budget of that time.
     */
    stale_source_hits: number;
};

export type StaleHitsAnalyticsView = {
    buckets: Array<StaleHitsBucketView>;
};

export type UsageBucketView = {
    /**
     * First moment of the bucket; the first bucket may begin before `from`.
     */
    start: string;
    search: number;
    chat: number;
    rover: number;
};

export type UsageAnalyticsView = {
    buckets: Array<UsageBucketView>;
};

export type JobsBucketView = {
    /**
     * First moment of the bucket; the first bucket may begin before `from`.
     */
    start: string;
    requested: number;
    completed: number;
    failed: number;
    cancelled: number;
};

export type JobsAnalyticsView = {
    buckets: Array<JobsBucketView>;
};

export type AuditTargetView = {
    type: string;
    id: string;
};

export type AuditContextView = {
    request_id: string;
    ip?: string;
    user_agent?: string;
    method: string;
    path: string;
};

export type AuditEventView = {
    id: string;
    /**
     * Number of the tenant's earlier events, in log order.
     */
    seq: number;
    /**
     * Version of the schema that `data` was written with.
     */
    schema_version: number;
    action: string;
    /**
     * Type of the event.
     */
    type: string;
    category: 'admin' | 'access' | 'job' | 'search' | 'data';
    /**
     * By the writer's clock.
     */
    occurred_at: string;
    /**
     * By the log's clock; never before that of an earlier record.
     */
    recorded_at: string;
    outcome: 'success' | 'failure' | 'denied';
    targets: Array<AuditTargetView>;
    /**
     * Fields that the event changed; empty for an event that changes no fields.
     */
    changes: Array<AuditChangeView>;
    /**
     * Null for background work.
     */
    context: AuditContextView | null;
    revision: number;
    /**
     * Data of the event as stored; digests stand for secrets.
     */
    data: {
        [key: string]: unknown;
    };
    actor: AuditActorView;
    correlation_id: string;
    causation_id: string;
    stream: string;
    /**
     * Hash of the record before, hex; 64 zeros for the first.
     */
    prev_hash: string;
    /**
     * Hash of this leaf, hex.
     */
    hash: string;
};

export type AuditEventList = {
    events: Array<AuditEventView>;
    /**
     * The `after` of the next page; null at the end.
     */
    next: number | null;
};

export type CheckpointView = {
    /**
     * Number of records.
     */
    size: number;
    signed_at: string;
    /**
     * Root of the tree of this size, hex.
     */
    root: string;
    /**
     * Id of the key that signed, eight hex digits.
     */
    key_id: string;
    /**
     * Signed note (C2SP `tlog-checkpoint`).
     */
    checkpoint: string;
};

export type CheckpointList = {
    checkpoints: Array<CheckpointView>;
    /**
     * The `before` of the next page; null at the end.
     */
    next: number | null;
};

export type AuditKeyView = {
    created_at: string;
    /**
     * Eight hex digits.
     */
    id: string;
    /**
     * Key for verifiers, `<origin>+<id>+<base64>`.
     */
    key: string;
    /**
     * True for the key that signs now.
     */
    current: boolean;
};

export type AuditKeyList = {
    keys: Array<AuditKeyView>;
};

export type AuditProofView = {
    seq: number;
    size: number;
    /**
     * Hashes from the leaf to the root, hex.
     */
    proof: Array<string>;
    /**
     * Hash of the record, hex.
     */
    leaf: string;
    /**
     * Root of the tree, hex.
     */
    root: string;
};

export type AuditConsistencyView = {
    from: number;
    to: number;
    proof: Array<string>;
    /**
     * Root of the smaller tree, hex.
     */
    from_root: string;
    /**
     * Root of the larger tree, hex.
     */
    to_root: string;
};

export type TrailBreakView = {
    seq: number;
    kind: 'seq' | 'event' | 'hash' | 'record' | 'subtree' | 'checkpoint' | 'signature' | 'truncated';
};

export type WitnessedView = {
    /**
     * Number of configured witnesses that cosigned it.
     */
    cosigned: number;
    /**
     * Number of configured witnesses; with none, a rewritten log can pass every check.
     */
    of: number;
};

export type TrailVerification = {
    /**
     * Number of records that this request checked.
     */
    checked: number;
    /**
     * The newest record; null for an empty trail.
     */
    head_seq: number | null;
    /**
     * Root of the whole tree, hex; null if records of it are missing.
     */
    head_hash: string | null;
    first_break: TrailBreakView | null;
    /**
     * The `from_seq` of the next request; null if nothing is left.
     */
    continue_from: number | null;
    witnessed: WitnessedView;
    valid: boolean;
};

export type VerifyCheckpointBody = {
    /**
     * A checkpoint that the caller kept.
     */
    checkpoint: string;
};

export type CheckpointVerification = {
    /**
     * Size of the checkpoint; null if the text has none.
     */
    size: number | null;
    /**
     * Why it does not verify; null if it does.
     */
    kind: 'seq' | 'event' | 'hash' | 'record' | 'subtree' | 'checkpoint' | 'signature' | 'truncated' | null;
    valid: boolean;
};

export type FeedEventView = {
    specversion: '1.0';
    /**
     * Id of the event; a repeated event has the same.
     */
    id: string;
    source: string;
    type: string;
    /**
     * By the writer's clock.
     */
    time: string;
    datacontenttype: 'application/json';
    /**
     * Identifier of the JSON Schema of `data`, which `GET /schemas/{type}/{version}` returns.
     */
    dataschema: string;
    tenantid: string;
    /**
     * Number of the tenant's earlier events, with leading zeros: string order is log order.
     */
    sequence: string;
    /**
     * Number of earlier events of the stream.
     */
    streamrevision: string;
    /**
     * Version of the schema that `data` was written with.
     */
    schemaversion: number;
    /**
     * Data of the event without digests and other withheld fields.
     */
    data: {
        [key: string]: unknown;
    };
    /**
     * Stream of the event.
     */
    subject: string;
    correlationid: string;
    causationid: string;
};

export type FeedEventPage = {
    events: Array<FeedEventView>;
    /**
     * The `after` of the next request; null before the first event.
     */
    next: number | null;
    /**
     * True if newer events wait; request them now.
     */
    has_more: boolean;
};

export type CreateWebhookBody = {
    /**
     * Human-readable name.
     */
    name: string;
    /**
     * Address that receives the events by POST. It must use https.
     */
    url: string;
    /**
     * Event types to receive. Default: all.
     */
    types?: ReadonlyArray<string> | null;
};

export type CreatedWebhookView = {
    id: string;
    /**
     * Null once the keys of the tenant are destroyed.
     */
    url: string | null;
    /**
     * Null for all types.
     */
    types: Array<string> | null;
    status: 'enabled' | 'disabled';
    /**
     * `requested`: by a request; `gone`: the endpoint answered 410; `failing`: every attempt of one
     * delivery failed. Null while it is enabled.
     */
    disabled_reason: 'requested' | 'gone' | 'failing' | null;
    created_at: string;
    /**
     * Secret that signs the deliveries. It is shown here and never again; a repeated request with the
     * same Idempotency-Key leaves it out.
     */
    secret?: string;
    name: string;
};

export type WebhookView = {
    id: string;
    /**
     * Null once the keys of the tenant are destroyed.
     */
    url: string | null;
    /**
     * Null for all types.
     */
    types: Array<string> | null;
    status: 'enabled' | 'disabled';
    /**
     * `requested`: by a request; `gone`: the endpoint answered 410; `failing`: every attempt of one
     * delivery failed. Null while it is enabled.
     */
    disabled_reason: 'requested' | 'gone' | 'failing' | null;
    created_at: string;
    name: string;
};

export type WebhookList = {
    webhooks: Array<WebhookView>;
    total: number;
};

export type UpdateWebhookBody = {
    name?: string;
    /**
     * Another address. A delivery that waits for its next attempt is sent there at once.
     */
    url?: string;
    /**
     * Event types to receive; null for all.
     */
    types?: ReadonlyArray<string> | null;
    /**
     * False stops deliveries. True continues them where they stopped.
     */
    enabled?: boolean;
};

export type WebhookEventView = {
    /**
     * Id of the event to be delivered; `webhook-id` of the delivery.
     */
    event_id: string;
};

export type RotatedSecretView = {
    /**
     * The new secret, shown here and never again.
     */
    secret: string;
    /**
     * Until then, the previous secret signs as well.
     */
    previous_until: string;
};

export type WebhookDeliveryView = {
    /**
     * Id of the event, and `webhook-id` of every attempt.
     */
    event_id: string;
    /**
     * Seq of the event that caused the delivery: of the request, for a test or a redelivery.
     */
    seq: number;
    status: 'delivered' | 'failed';
    /**
     * Attempts so far, this one included.
     */
    attempt: number;
    /**
     * Status of the answer; null without one.
     */
    status_code: number | null;
    /**
     * `status`: an answer other than 2xx; `refused`: the address is on a private or reserved network.
     * Null for a delivered event.
     */
    failure: 'status' | 'timeout' | 'connection' | 'refused' | null;
    at: string;
    /**
     * Time of the next attempt; null if there is none.
     */
    retry_at: string | null;
    event_type: string;
};

export type WebhookDeliveryList = {
    deliveries: Array<WebhookDeliveryView>;
    /**
     * The `before` of the next page; null after the last one.
     */
    next: number | null;
};

export type EraseTenantBody = {
    /**
     * The name or the id of the tenant, to show that it is meant: what is erased cannot come back.
     */
    confirm: string;
};

export type TenantErasureView = {
    /**
     * From now on every credential of the tenant is refused; what it had is destroyed in the
     * background.
     */
    status: 'erasing';
    requested_at: string;
    tenant_id: string;
};

export type LegalHoldActor = {
    type: 'api_key' | 'user' | 'system' | 'operator' | 'anonymous';
    id: string;
};

export type LegalHoldView = {
    /**
     * Reason of the last change; null if there was none.
     */
    reason: string | null;
    changed_at: string | null;
    changed_by: LegalHoldActor | null;
    /**
     * True while nothing of the tenant is erased or dropped.
     */
    active: boolean;
};

export type ChangeLegalHoldBody = {
    /**
     * Reason of the change, such as a case number. It is sealed with the key of the tenant.
     */
    reason: string;
};

export type QuotaLimitView = {
    metric: 'requests' | 'search' | 'chat' | 'rover' | 'sources' | 'chunks' | 'bytes';
    /**
     * Windows are rolling: a limit holds in any stretch of time of that length.
     */
    window: 'minute' | 'hour' | 'day' | 'total';
    /**
     * Left out of a total.
     */
    window_seconds?: number;
    limit: number;
};

export type FairnessView = {
    /**
     * Searches that are worked on at once; further ones wait.
     */
    searches_at_once: number;
    /**
     * Searches that may wait; further ones are refused.
     */
    searches_waiting: number;
    /**
     * Open event streams.
     */
    open_streams: number;
    /**
     * Syncs that are fetched at once; further ones wait.
     */
    fetching_syncs: number;
    /**
     * Syncs that are in any one of the later stages at once; further ones wait.
     */
    syncs_per_stage: number;
};

export type QuotaView = {
    plan: string;
    /**
     * A metric that is not listed is not limited.
     */
    limits: Array<QuotaLimitView>;
    fairness: FairnessView;
};

export type QuotaUsageEntry = {
    metric: 'requests' | 'search' | 'chat' | 'rover' | 'sources' | 'chunks' | 'bytes';
    window: 'minute' | 'hour' | 'day' | 'total';
    /**
     * Time when the oldest usage leaves the window; null while there is no usage. Left out of a
     * total.
     */
    resets_at?: string | null;
    limit: number;
    used: number;
    remaining: number;
};

export type QuotaUsageView = {
    plan: string;
    usage: Array<QuotaUsageEntry>;
};

export type LiveView = {
    status: string;
};

export type CheckView = {
    name: string;
    ok: boolean;
    /**
     * The problem, or the progress.
     */
    detail?: string;
};

export type ReadyView = {
    status: 'ready' | 'not_ready';
    checks: Array<CheckView>;
};

export type RootView = {
    service: string;
    docs: string;
    openapi: string;
    asyncapi: string;
};

export type ScipLeftOut = {
    /**
     * The version has no such file, or did not index it.
     */
    unknown_file: number;
    /**
     * The text in the index is not that of the version.
     */
    other_text: number;
    /**
     * An earlier document has the same path.
     */
    repeated: number;
};

export type ScipUploadView = {
    /**
     * Generation of that version.
     */
    generation: number;
    /**
     * Number of documents that are used.
     */
    documents: number;
    /**
     * Number of these whose files are unchanged in the live version.
     */
    current_documents: number;
    occurrences: number;
    symbols: number;
    source_id: string;
    name: string;
    /**
     * Version of the source that was indexed.
     */
    version_ref: string;
    left_out: ScipLeftOut;
};

export type ScipUploader = {
    type: 'api_key' | 'user' | 'system' | 'operator' | 'anonymous';
    id: string;
};

export type ScipIndexView = {
    /**
     * Generation of that version.
     */
    generation: number;
    /**
     * Number of files that the index has.
     */
    documents: number;
    /**
     * Number of these that are unchanged in the live version; the index applies to them. Null if the
     * index or the list of live files is missing.
     */
    current_documents: number | null;
    occurrences: number;
    symbols: number;
    /**
     * Documents that are not used; null for an index that an early release received.
     */
    left_out: ScipLeftOut | null;
    /**
     * Size as it is stored, in bytes.
     */
    stored_bytes: number;
    uploaded_at: string;
    name: string;
    /**
     * Version of the source that was indexed.
     */
    version_ref: string;
    uploaded_by: ScipUploader;
};

export type ScipIndexList = {
    source_id: string;
    indexes: Array<ScipIndexView>;
};

export type JobProgressEvent = {
    event: 'progress';
    id: string;
    data: JobProgressView;
};

export type JobDoneEvent = {
    event: 'done';
    id: string;
    data: JobProgressView;
};

export type JobErrorEvent = {
    event: 'error';
    data: StreamErrorView;
};

export type CodeFileEvent = {
    event: 'file';
    data: CodeFileView;
};

export type CodeSearchDoneEvent = {
    event: 'done';
    data: PackageCodeSearchEndView;
};

export type CodeSearchErrorEvent = {
    event: 'error';
    data: StreamErrorView;
};

export type ChatTokenEvent = {
    event: 'token';
    data: ChatTokenView;
};

export type ChatDoneEvent = {
    event: 'done';
    data: ChatSummaryView;
};

export type ChatErrorEvent = {
    event: 'error';
    data: StreamErrorView;
};

export type RoverStatusEvent = {
    event: 'status';
    id?: string;
    data: RoverStatusView;
};

export type RoverStepEvent = {
    event: 'step';
    id?: string;
    data: RoverStepView;
};

export type RoverTokenEvent = {
    event: 'token';
    id?: string;
    data: RoverTokenView;
};

export type RoverDoneEvent = {
    event: 'done';
    id?: string;
    data: RoverJobView;
};

export type RoverErrorEvent = {
    event: 'error';
    id?: string;
    data: StreamErrorView;
};

export type FeedMessageEvent = {
    id: string;
    data: FeedEventView;
};

export type FeedErrorEvent = {
    event: 'error';
    data: StreamErrorView;
};

export type CreateSourceBodyWritable = {
    /**
     * Seconds from the end of a sync, whatever its outcome, to the next automatic one; at least 300.
     * Each source starts up to a tenth later, so that not all sync at once. 0 switches automatic
     * syncs off, which is the default.
     */
    sync_interval_seconds?: 0 | number;
    /**
     * Repositories only: the branch, the tag or the commit (all its digits) to read. Default `main`.
     */
    branch?: string;
    /**
     * Docs only. Default `html`.
     */
    docs_format?: 'html' | 'openapi';
    /**
     * HTML docs only: the pages to read. With all other fields, a source has at most 64 KiB as JSON.
     */
    doc_urls?: ReadonlyArray<string>;
    /**
     * HTML docs only: find the pages by the site's sitemap. Default false.
     */
    use_sitemap?: boolean;
    /**
     * OpenAPI docs only: the version shown in citations instead of the specification's own.
     */
    doc_version_label?: string;
    /**
     * Globs of included files; an empty list includes everything that is not excluded. Vendored,
     * generated, minified and binary files of a repository are left out by default. Except for binary
     * files, a pattern that names such files includes them: `["**", "yarn.lock"]`. With all
     * alternatives of `{a,b}` written out, a list has at most 16,384 characters.
     */
    include_patterns?: ReadonlyArray<string>;
    /**
     * Globs of what to leave out; they win over `include_patterns`, and their list has the same
     * bounds.
     */
    exclude_patterns?: ReadonlyArray<string>;
    /**
     * Human-readable name.
     */
    name: string;
    /**
     * The type of the source; it never changes.
     */
    source_type: 'repo' | 'docs' | 'pdf';
    /**
     * Git URL of a repository, base or specification URL of docs, URL of a PDF.
     */
    url: string;
    /**
     * Repositories only: what to read a private one with.
     */
    credentials?: CredentialsBody;
};

export type UpdateSourceBodyWritable = {
    /**
     * Seconds from the end of a sync, whatever its outcome, to the next automatic one; at least 300.
     * Each source starts up to a tenth later, so that not all sync at once. 0 switches automatic
     * syncs off, which is the default.
     */
    sync_interval_seconds?: 0 | number;
    /**
     * Repositories only: the branch, the tag or the commit (all its digits) to read. Default `main`.
     */
    branch?: string;
    /**
     * Docs only. Default `html`.
     */
    docs_format?: 'html' | 'openapi';
    /**
     * HTML docs only: the pages to read. With all other fields, a source has at most 64 KiB as JSON.
     */
    doc_urls?: ReadonlyArray<string>;
    /**
     * HTML docs only: find the pages by the site's sitemap. Default false.
     */
    use_sitemap?: boolean;
    /**
     * OpenAPI docs only: the version shown in citations instead of the specification's own.
     */
    doc_version_label?: string;
    /**
     * Globs of included files; an empty list includes everything that is not excluded. Vendored,
     * generated, minified and binary files of a repository are left out by default. Except for binary
     * files, a pattern that names such files includes them: `["**", "yarn.lock"]`. With all
     * alternatives of `{a,b}` written out, a list has at most 16,384 characters.
     */
    include_patterns?: ReadonlyArray<string>;
    /**
     * Globs of what to leave out; they win over `include_patterns`, and their list has the same
     * bounds.
     */
    exclude_patterns?: ReadonlyArray<string>;
    /**
     * Human-readable name.
     */
    name?: string;
    /**
     * Git URL of a repository, base or specification URL of docs, URL of a PDF.
     */
    url?: string;
    /**
     * Repositories only: what to read a private one with from the next sync on; null removes it.
     */
    credentials?: CredentialsBody | null;
};

export type SourcesListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Number of entries to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of entries.
         */
        limit?: number;
        /**
         * Answers as of this time, inclusive, by the `recorded_at` of the audit trail.
         */
        as_of?: string;
        /**
         * Answers as of this record of the audit trail, inclusive.
         */
        as_of_seq?: number;
        /**
         * Only sources of this type.
         */
        source_type?: 'repo' | 'docs' | 'pdf';
        /**
         * Only sources in this state.
         */
        status?: 'pending' | 'syncing' | 'synced' | 'error';
    };
    url: '/sources';
};

export type SourcesListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcesListError = SourcesListErrors[keyof SourcesListErrors];

export type SourcesListResponses = {
    200: SourceList;
};

export type SourcesListResponse = SourcesListResponses[keyof SourcesListResponses];

export type SourcesCreateData = {
    body: CreateSourceBodyWritable;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/sources';
};

export type SourcesCreateErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     */
    409: ErrorView & {
        code?: 'idempotency_key_reused';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcesCreateError = SourcesCreateErrors[keyof SourcesCreateErrors];

export type SourcesCreateResponses = {
    201: SourceView;
};

export type SourcesCreateResponse = SourcesCreateResponses[keyof SourcesCreateResponses];

export type SourcesUploadData = {
    body: UploadSourceForm;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/sources/upload';
};

export type SourcesUploadErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `bad_request`: The request line, a header or the URL is malformed.
     */
    400: ErrorView & {
        code?: 'bad_request' | 'validation_failed';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     *
     * `sync_in_progress`: A sync of this source is pending or running.
     */
    409: ErrorView & {
        code?: 'idempotency_key_reused' | 'sync_in_progress';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `storage_full`: The disk or blob store is full; no change was half done.
     */
    507: ErrorView & {
        code?: 'storage_full';
    };
};

export type SourcesUploadError = SourcesUploadErrors[keyof SourcesUploadErrors];

export type SourcesUploadResponses = {
    201: UploadedSource;
};

export type SourcesUploadResponse = SourcesUploadResponses[keyof SourcesUploadResponses];

export type SourcesRemoveData = {
    body?: never;
    path: {
        source_id: string;
    };
    query?: never;
    url: '/sources/{source_id}';
};

export type SourcesRemoveErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'source_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcesRemoveError = SourcesRemoveErrors[keyof SourcesRemoveErrors];

export type SourcesRemoveResponses = {
    204: void;
};

export type SourcesRemoveResponse = SourcesRemoveResponses[keyof SourcesRemoveResponses];

export type SourcesGetData = {
    body?: never;
    path: {
        source_id: string;
    };
    query?: {
        /**
         * Answers as of this time, inclusive, by the `recorded_at` of the audit trail.
         */
        as_of?: string;
        /**
         * Answers as of this record of the audit trail, inclusive.
         */
        as_of_seq?: number;
    };
    url: '/sources/{source_id}';
};

export type SourcesGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'source_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcesGetError = SourcesGetErrors[keyof SourcesGetErrors];

export type SourcesGetResponses = {
    200: SourceView;
};

export type SourcesGetResponse = SourcesGetResponses[keyof SourcesGetResponses];

export type SourcesUpdateData = {
    body: UpdateSourceBodyWritable;
    path: {
        source_id: string;
    };
    query?: never;
    url: '/sources/{source_id}';
};

export type SourcesUpdateErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'source_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcesUpdateError = SourcesUpdateErrors[keyof SourcesUpdateErrors];

export type SourcesUpdateResponses = {
    200: SourceView;
};

export type SourcesUpdateResponse = SourcesUpdateResponses[keyof SourcesUpdateResponses];

export type SourcesHistoryData = {
    body?: never;
    path: {
        source_id: string;
    };
    query?: {
        /**
         * Returns entries past this `seq`, in the order of the answer. Default: from the first.
         */
        after?: number;
        /**
         * Maximum number of entries to return.
         */
        limit?: number;
        /**
         * `desc` returns the newest first.
         */
        order?: 'asc' | 'desc';
    };
    url: '/sources/{source_id}/history';
};

export type SourcesHistoryErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'source_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcesHistoryError = SourcesHistoryErrors[keyof SourcesHistoryErrors];

export type SourcesHistoryResponses = {
    200: SourceHistoryList;
};

export type SourcesHistoryResponse = SourcesHistoryResponses[keyof SourcesHistoryResponses];

export type SourcesDiffData = {
    body?: never;
    path: {
        source_id: string;
    };
    query: {
        /**
         * First generation; it must still be kept.
         */
        from: number;
        /**
         * Second generation. Default: the live one.
         */
        to?: number;
        /**
         * Number of files to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of files.
         */
        limit?: number;
    };
    url: '/sources/{source_id}/diff';
};

export type SourcesDiffErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'source_not_found';
    };
    /**
     * `generation_dropped`: Content that the search read was dropped; the search cannot be replayed.
     *
     * `content_missing`: Required content is missing from the blob store; a sync of its source rebuilds it.
     */
    409: ErrorView & {
        code?: 'content_missing' | 'generation_dropped';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcesDiffError = SourcesDiffErrors[keyof SourcesDiffErrors];

export type SourcesDiffResponses = {
    200: SourceDiffView;
};

export type SourcesDiffResponse = SourcesDiffResponses[keyof SourcesDiffResponses];

export type SourcesSyncData = {
    body?: never;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        source_id: string;
    };
    query?: never;
    url: '/sources/{source_id}/sync';
};

export type SourcesSyncErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'source_not_found';
    };
    /**
     * `sync_in_progress`: A sync of this source is pending or running.
     *
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'idempotency_key_reused' | 'sync_in_progress';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcesSyncError = SourcesSyncErrors[keyof SourcesSyncErrors];

export type SourcesSyncResponses = {
    200: SyncAccepted;
};

export type SourcesSyncResponse = SourcesSyncResponses[keyof SourcesSyncResponses];

export type SourcesContentData = {
    body?: never;
    path: {
        source_id: string;
    };
    query: {
        /**
         * File path or URL as in a citation. One with a fragment (`#install`) returns the lines of that
         * passage unless the request names other lines.
         */
        path: string;
        /**
         * The operation or schema of an OpenAPI specification, as a citation names it; without it, the
         * specification's overview. Other documents are not asked by it.
         */
        symbol?: string;
        /**
         * First line, from 1. Default 1.
         */
        start_line?: number;
        /**
         * Last line, inclusive; at most 2,000 lines are returned. Default: the end, or 2,000 lines.
         */
        end_line?: number;
    };
    url: '/sources/{source_id}/content';
};

export type SourcesContentErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'source_not_found';
    };
    /**
     * `content_missing`: Required content is missing from the blob store; a sync of its source rebuilds it.
     */
    409: ErrorView & {
        code?: 'content_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcesContentError = SourcesContentErrors[keyof SourcesContentErrors];

export type SourcesContentResponses = {
    200: SourceContent;
};

export type SourcesContentResponse = SourcesContentResponses[keyof SourcesContentResponses];

export type SourcefilesTreeData = {
    body?: never;
    path: {
        source_id: string;
    };
    query?: {
        /**
         * Generation of the source; it must still be kept. Default: the live one.
         */
        generation?: number;
        /**
         * Version of the source, as citations show it; its newest kept generation is read. Of a commit,
         * the first 12 digits are enough, unless two versions begin so.
         */
        version_ref?: string;
        /**
         * Folder to list. Default: the root.
         */
        path?: string;
        /**
         * Levels below the folder. Default 1; with `glob`, all.
         */
        depth?: number;
        /**
         * Only files whose whole path matches.
         */
        glob?: string;
        /**
         * Number of entries to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of entries.
         */
        limit?: number;
    };
    url: '/sources/{source_id}/tree';
};

export type SourcefilesTreeErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'source_not_found';
    };
    /**
     * `generation_dropped`: Content that the search read was dropped; the search cannot be replayed.
     *
     * `content_missing`: Required content is missing from the blob store; a sync of its source rebuilds it.
     */
    409: ErrorView & {
        code?: 'content_missing' | 'generation_dropped';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcefilesTreeError = SourcefilesTreeErrors[keyof SourcefilesTreeErrors];

export type SourcefilesTreeResponses = {
    200: SourceTreeView;
};

export type SourcefilesTreeResponse = SourcefilesTreeResponses[keyof SourcefilesTreeResponses];

export type SourcefilesOutlineData = {
    body?: never;
    path: {
        source_id: string;
    };
    query: {
        /**
         * Generation of the source; it must still be kept. Default: the live one.
         */
        generation?: number;
        /**
         * Version of the source, as citations show it; its newest kept generation is read. Of a commit,
         * the first 12 digits are enough, unless two versions begin so.
         */
        version_ref?: string;
        /**
         * Path of the file.
         */
        path: string;
        /**
         * Number of definitions to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of definitions.
         */
        limit?: number;
    };
    url: '/sources/{source_id}/outline';
};

export type SourcefilesOutlineErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'source_not_found';
    };
    /**
     * `generation_dropped`: Content that the search read was dropped; the search cannot be replayed.
     *
     * `content_missing`: Required content is missing from the blob store; a sync of its source rebuilds it.
     */
    409: ErrorView & {
        code?: 'content_missing' | 'generation_dropped';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcefilesOutlineError = SourcefilesOutlineErrors[keyof SourcefilesOutlineErrors];

export type SourcefilesOutlineResponses = {
    200: SourceOutlineView;
};

export type SourcefilesOutlineResponse = SourcefilesOutlineResponses[keyof SourcefilesOutlineResponses];

export type SourcefilesFileData = {
    body?: never;
    path: {
        source_id: string;
    };
    query: {
        /**
         * Generation of the source; it must still be kept. Default: the live one.
         */
        generation?: number;
        /**
         * Version of the source, as citations show it; its newest kept generation is read. Of a commit,
         * the first 12 digits are enough, unless two versions begin so.
         */
        version_ref?: string;
        /**
         * Path of the document, without a fragment.
         */
        path: string;
        /**
         * `text` returns the whole text as `text/plain`, as does `Accept: text/plain`.
         */
        format?: 'json' | 'text';
        /**
         * First line, from 1. Default 1.
         */
        from_line?: number;
        /**
         * Last line, inclusive; at most 2,000 lines are returned. Default: the end, or 2,000 lines.
         */
        to_line?: number;
    };
    url: '/sources/{source_id}/files';
};

export type SourcefilesFileErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'source_not_found';
    };
    /**
     * `generation_dropped`: Content that the search read was dropped; the search cannot be replayed.
     *
     * `content_missing`: Required content is missing from the blob store; a sync of its source rebuilds it.
     */
    409: ErrorView & {
        code?: 'content_missing' | 'generation_dropped';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SourcefilesFileError = SourcefilesFileErrors[keyof SourcefilesFileErrors];

export type SourcefilesFileResponses = {
    /**
     * Lines of the file; as `text/plain` its whole text.
     */
    200: SourceFileView;
};

export type SourcefilesFileResponse = SourcefilesFileResponses[keyof SourcefilesFileResponses];

export type PushhooksRemoveData = {
    body?: never;
    path: {
        source_id: string;
    };
    query?: never;
    url: '/sources/{source_id}/hooks';
};

export type PushhooksRemoveErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'source_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PushhooksRemoveError = PushhooksRemoveErrors[keyof PushhooksRemoveErrors];

export type PushhooksRemoveResponses = {
    204: void;
};

export type PushhooksRemoveResponse = PushhooksRemoveResponses[keyof PushhooksRemoveResponses];

export type PushhooksSetData = {
    body?: never;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        source_id: string;
    };
    query?: never;
    url: '/sources/{source_id}/hooks';
};

export type PushhooksSetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'source_not_found';
    };
    /**
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'idempotency_key_reused';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PushhooksSetError = PushhooksSetErrors[keyof PushhooksSetErrors];

export type PushhooksSetResponses = {
    201: PushHookView;
};

export type PushhooksSetResponse = PushhooksSetResponses[keyof PushhooksSetResponses];

export type PushhooksPushData = {
    /**
     * As the provider sends it.
     */
    body: {
        [key: string]: unknown;
    };
    headers?: {
        /**
         * GitLab, signing token
         */
        'webhook-signature'?: string;
        /**
         * GitLab, secret token
         */
        'X-Gitlab-Token'?: string;
        /**
         * Gitea; of Forgejo `X-Forgejo-Signature` too
         */
        'X-Gitea-Signature'?: string;
        /**
         * GitHub
         */
        'X-Hub-Signature-256'?: string;
    };
    path: {
        source_id: string;
    };
    query?: never;
    url: '/sources/{source_id}/hooks/push';
};

export type PushhooksPushErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'source_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     *
     * `overloaded`: Too many bodies of requests without valid credentials are arriving; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PushhooksPushError = PushhooksPushErrors[keyof PushhooksPushErrors];

export type PushhooksPushResponses = {
    /**
     * Nothing was to be done.
     */
    200: PushAnswer;
    /**
     * A sync was started, or follows the one that runs.
     */
    202: PushAnswer;
};

export type PushhooksPushResponse = PushhooksPushResponses[keyof PushhooksPushResponses];

export type JobsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Number of entries to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of entries.
         */
        limit?: number;
        /**
         * Only jobs of this source.
         */
        source_id?: string;
        /**
         * Only jobs in this state.
         */
        status?: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
    };
    url: '/jobs';
};

export type JobsListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type JobsListError = JobsListErrors[keyof JobsListErrors];

export type JobsListResponses = {
    200: JobList;
};

export type JobsListResponse = JobsListResponses[keyof JobsListResponses];

export type JobsGetData = {
    body?: never;
    path: {
        job_id: string;
    };
    query?: never;
    url: '/jobs/{job_id}';
};

export type JobsGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `job_not_found`: The job does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'job_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type JobsGetError = JobsGetErrors[keyof JobsGetErrors];

export type JobsGetResponses = {
    200: JobView;
};

export type JobsGetResponse = JobsGetResponses[keyof JobsGetResponses];

export type JobsCancelData = {
    body?: never;
    path: {
        job_id: string;
    };
    query?: never;
    url: '/jobs/{job_id}/cancel';
};

export type JobsCancelErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `job_not_found`: The job does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'job_not_found';
    };
    /**
     * `job_finished`: The job is completed or failed and cannot be cancelled.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'job_finished';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type JobsCancelError = JobsCancelErrors[keyof JobsCancelErrors];

export type JobsCancelResponses = {
    200: JobView;
};

export type JobsCancelResponse = JobsCancelResponses[keyof JobsCancelResponses];

export type JobsStreamData = {
    body?: never;
    headers?: {
        /**
         * The id of the last event that the client has; anything that is no id of a stream is refused with 400.
         */
        'Last-Event-ID'?: string;
    };
    path: {
        job_id: string;
    };
    query?: never;
    url: '/jobs/{job_id}/stream';
};

export type JobsStreamErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `job_not_found`: The job does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'job_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type JobsStreamError = JobsStreamErrors[keyof JobsStreamErrors];

export type JobsStreamResponses = {
    /**
     * One event of the stream, its `data` decoded.
     */
    200: ({
        event: 'progress';
    } & JobProgressEvent) | ({
        event: 'done';
    } & JobDoneEvent) | ({
        event: 'error';
    } & JobErrorEvent);
};

export type JobsStreamResponse = JobsStreamResponses[keyof JobsStreamResponses];

export type CodesearchGetData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Text or regular expression that a line must contain. Give it or `query`.
         */
        pattern?: string;
        /**
         * Query in place of `pattern`: words, "phrases", /expressions/, `repo:`, `file:`, `lang:`,
         * `sym:`, `content:`, `case:`, `type:`, `-`, `or` and parentheses.
         */
        query?: string;
        /**
         * True: the pattern is a regular expression in the syntax of Rust's `regex`.
         */
        regex?: boolean;
        case_sensitive?: boolean;
        /**
         * True: matches begin and end at word boundaries.
         */
        word?: boolean;
        /**
         * Comma-separated: search only these sources; unknown ids are ignored. Default: all.
         */
        source_ids?: ReadonlyArray<string>;
        /**
         * Comma-separated globs: only documents whose path matches one of them.
         */
        path_patterns?: ReadonlyArray<string>;
        /**
         * Comma-separated: only documents in one of these languages.
         */
        languages?: ReadonlyArray<string>;
        /**
         * False leaves stale sources out, where the policy enforces staleness.
         */
        include_stale?: boolean;
        /**
         * Lines before and after each match.
         */
        context_lines?: number;
        /**
         * Maximum number of matching lines. Over 1,000 only with `max_tokens`, or as `text/plain`, which
         * is then sent while it is found.
         */
        limit?: number;
        /**
         * Maximum tokens of the lines in their text form (`path:line:text`). Default: no bound.
         */
        max_tokens?: number;
        /**
         * Milliseconds after which the search returns what it found so far.
         */
        timeout_ms?: number;
        /**
         * `next_cursor` of an incomplete answer to the same request.
         */
        cursor?: string;
    };
    url: '/search/code';
};

export type CodesearchGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type CodesearchGetError = CodesearchGetErrors[keyof CodesearchGetErrors];

export type CodesearchGetResponses = {
    /**
     * Matching lines by file; as `text/plain` with `path:line:text` for each line; as `text/event-stream` a `file` event for each file once it is found, then `done`.
     */
    200: CodeSearchResponseView;
};

export type CodesearchGetResponse = CodesearchGetResponses[keyof CodesearchGetResponses];

export type CodesearchPostData = {
    body: CodeSearchBody;
    path?: never;
    query?: never;
    url: '/search/code';
};

export type CodesearchPostErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type CodesearchPostError = CodesearchPostErrors[keyof CodesearchPostErrors];

export type CodesearchPostResponses = {
    /**
     * Matching lines by file; as `text/plain` with `path:line:text` for each line; as `text/event-stream` a `file` event for each file once it is found, then `done`.
     */
    200: CodeSearchResponseView;
};

export type CodesearchPostResponse = CodesearchPostResponses[keyof CodesearchPostResponses];

export type CodenavigationSymbolsData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Comma-separated: only these sources; unknown ids are ignored. Default: all.
         */
        source_ids?: ReadonlyArray<string>;
        /**
         * Comma-separated globs: only documents whose path matches one of them.
         */
        path_patterns?: ReadonlyArray<string>;
        /**
         * Comma-separated: only documents in one of these languages.
         */
        languages?: ReadonlyArray<string>;
        /**
         * False leaves stale sources out, where the policy enforces staleness.
         */
        include_stale?: boolean;
        /**
         * Maximum number of entries.
         */
        limit?: number;
        /**
         * `next_cursor` of an incomplete answer to the same request.
         */
        cursor?: string;
        /**
         * A name, its beginning, or its humps: `KC` finds `KafkaConsumer`.
         */
        query: string;
    };
    url: '/symbols';
};

export type CodenavigationSymbolsErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type CodenavigationSymbolsError = CodenavigationSymbolsErrors[keyof CodenavigationSymbolsErrors];

export type CodenavigationSymbolsResponses = {
    /**
     * Definitions by closeness of the name.
     */
    200: DefinitionsView;
};

export type CodenavigationSymbolsResponse = CodenavigationSymbolsResponses[keyof CodenavigationSymbolsResponses];

export type CodenavigationDefinitionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Comma-separated: only these sources; unknown ids are ignored. Default: all.
         */
        source_ids?: ReadonlyArray<string>;
        /**
         * Comma-separated globs: only documents whose path matches one of them.
         */
        path_patterns?: ReadonlyArray<string>;
        /**
         * Comma-separated: only documents in one of these languages.
         */
        languages?: ReadonlyArray<string>;
        /**
         * False leaves stale sources out, where the policy enforces staleness.
         */
        include_stale?: boolean;
        /**
         * Maximum number of entries.
         */
        limit?: number;
        /**
         * `next_cursor` of an incomplete answer to the same request.
         */
        cursor?: string;
        /**
         * The exact name. Left out with a place.
         */
        name?: string;
        /**
         * Source of the place; also needs `path`, `line` and `column`.
         */
        source_id?: string;
        /**
         * Path of the file.
         */
        path?: string;
        /**
         * Line of the identifier in the live version, from 1.
         */
        line?: number;
        /**
         * A column of the identifier in UTF-16 units, from 1.
         */
        column?: number;
    };
    url: '/definitions';
};

export type CodenavigationDefinitionsErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'source_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type CodenavigationDefinitionsError = CodenavigationDefinitionsErrors[keyof CodenavigationDefinitionsErrors];

export type CodenavigationDefinitionsResponses = {
    /**
     * Definitions by closeness of the name.
     */
    200: DefinitionsView;
};

export type CodenavigationDefinitionsResponse = CodenavigationDefinitionsResponses[keyof CodenavigationDefinitionsResponses];

export type CodenavigationReferencesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Comma-separated: only these sources; unknown ids are ignored. Default: all.
         */
        source_ids?: ReadonlyArray<string>;
        /**
         * Comma-separated globs: only documents whose path matches one of them.
         */
        path_patterns?: ReadonlyArray<string>;
        /**
         * Comma-separated: only documents in one of these languages.
         */
        languages?: ReadonlyArray<string>;
        /**
         * False leaves stale sources out, where the policy enforces staleness.
         */
        include_stale?: boolean;
        /**
         * Maximum number of lines with references; a line may have several.
         */
        limit?: number;
        /**
         * `next_cursor` of an incomplete answer to the same request.
         */
        cursor?: string;
        /**
         * The exact name. Left out with a place.
         */
        name?: string;
        /**
         * Source of the place; also needs `path`, `line` and `column`.
         */
        source_id?: string;
        /**
         * Path of the file.
         */
        path?: string;
        /**
         * Line of the identifier in the live version, from 1.
         */
        line?: number;
        /**
         * A column of the identifier in UTF-16 units, from 1.
         */
        column?: number;
        /**
         * Milliseconds after which the request returns what it found so far.
         */
        timeout_ms?: number;
    };
    url: '/references';
};

export type CodenavigationReferencesErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'source_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type CodenavigationReferencesError = CodenavigationReferencesErrors[keyof CodenavigationReferencesErrors];

export type CodenavigationReferencesResponses = {
    /**
     * Identifiers with the name by source, path and place.
     */
    200: ReferencesView;
};

export type CodenavigationReferencesResponse = CodenavigationReferencesResponses[keyof CodenavigationReferencesResponses];

export type SearchGetData = {
    body?: never;
    path?: never;
    query: {
        /**
         * The query: words, an identifier or a question.
         */
        query: string;
        /**
         * Comma-separated: search only these sources; unknown ids are ignored. Default: all.
         */
        source_ids?: ReadonlyArray<string>;
        /**
         * Budget over the tokens of all results.
         */
        max_tokens?: number;
        /**
         * Maximum number of results.
         */
        top_k?: number;
        /**
         * False leaves stale results out, where the policy enforces staleness.
         */
        include_stale?: boolean;
        /**
         * Comma-separated globs: only documents whose path matches one of them.
         */
        path_patterns?: ReadonlyArray<string>;
        /**
         * Comma-separated: only chunks in one of these languages.
         */
        languages?: ReadonlyArray<string>;
    };
    url: '/search';
};

export type SearchGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `search_too_costly`: The search exceeds the computing limit of one search; use a narrower scope or fewer patterns.
     */
    400: ErrorView & {
        code?: 'search_too_costly' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SearchGetError = SearchGetErrors[keyof SearchGetErrors];

export type SearchGetResponses = {
    /**
     * Results with citations; or, when nothing is relevant or the policy refuses, a payload without `results`.
     */
    200: SearchResponseView | NoEvidenceView;
};

export type SearchGetResponse = SearchGetResponses[keyof SearchGetResponses];

export type SearchPostData = {
    body: SearchBody;
    path?: never;
    query?: never;
    url: '/search';
};

export type SearchPostErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `search_too_costly`: The search exceeds the computing limit of one search; use a narrower scope or fewer patterns.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'search_too_costly' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `generation_dropped`: Content that the search read was dropped; the search cannot be replayed.
     *
     * `content_missing`: Required content is missing from the blob store; a sync of its source rebuilds it.
     */
    409: ErrorView & {
        code?: 'content_missing' | 'generation_dropped';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SearchPostError = SearchPostErrors[keyof SearchPostErrors];

export type SearchPostResponses = {
    /**
     * Results with citations; or, when nothing is relevant or the policy refuses, a payload without `results`.
     */
    200: SearchResponseView | NoEvidenceView;
};

export type SearchPostResponse = SearchPostResponses[keyof SearchPostResponses];

export type SearchRmhData = {
    body: MultiHopSearchBody;
    path?: never;
    query?: never;
    url: '/search/rmh';
};

export type SearchRmhErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `search_too_costly`: The search exceeds the computing limit of one search; use a narrower scope or fewer patterns.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'search_too_costly' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SearchRmhError = SearchRmhErrors[keyof SearchRmhErrors];

export type SearchRmhResponses = {
    /**
     * Results with citations; or, when nothing is relevant or the policy refuses, a payload without `results`.
     */
    200: MultiHopResponseView | NoEvidenceView;
};

export type SearchRmhResponse = SearchRmhResponses[keyof SearchRmhResponses];

export type ChatAskData = {
    body: ChatBody;
    path?: never;
    query?: never;
    url: '/chat';
};

export type ChatAskErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'sign_in_required' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `conversation_not_found`: The signed-in person has no such conversation.
     */
    404: ErrorView & {
        code?: 'conversation_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     *
     * `conversation_full`: The conversation has reached its limit; start a new one.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'conversation_full';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ChatAskError = ChatAskErrors[keyof ChatAskErrors];

export type ChatAskResponses = {
    /**
     * The answer; or, when nothing is relevant or the policy refuses, a sentence that says so, without citations.
     */
    200: ChatResponseView;
};

export type ChatAskResponse = ChatAskResponses[keyof ChatAskResponses];

export type ChatStreamData = {
    body: ChatStreamBody;
    path?: never;
    query?: never;
    url: '/chat/stream';
};

export type ChatStreamErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'sign_in_required' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `conversation_not_found`: The signed-in person has no such conversation.
     */
    404: ErrorView & {
        code?: 'conversation_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     *
     * `conversation_full`: The conversation has reached its limit; start a new one.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'conversation_full';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ChatStreamError = ChatStreamErrors[keyof ChatStreamErrors];

export type ChatStreamResponses = {
    /**
     * One event of the stream, its `data` decoded.
     */
    200: ({
        event: 'token';
    } & ChatTokenEvent) | ({
        event: 'done';
    } & ChatDoneEvent) | ({
        event: 'error';
    } & ChatErrorEvent);
};

export type ChatStreamResponse = ChatStreamResponses[keyof ChatStreamResponses];

export type ConversationsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Number of entries to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of entries.
         */
        limit?: number;
    };
    url: '/conversations';
};

export type ConversationsListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     */
    401: ErrorView & {
        code?: 'sign_in_required' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ConversationsListError = ConversationsListErrors[keyof ConversationsListErrors];

export type ConversationsListResponses = {
    200: ConversationList;
};

export type ConversationsListResponse = ConversationsListResponses[keyof ConversationsListResponses];

export type ConversationsStartData = {
    body: CreateConversationBody;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/conversations';
};

export type ConversationsStartErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'sign_in_required' | 'unauthorized' | 'role_missing';
    };
    /**
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     */
    409: ErrorView & {
        code?: 'idempotency_key_reused';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ConversationsStartError = ConversationsStartErrors[keyof ConversationsStartErrors];

export type ConversationsStartResponses = {
    201: ConversationView;
};

export type ConversationsStartResponse = ConversationsStartResponses[keyof ConversationsStartResponses];

export type ConversationsRemoveData = {
    body?: never;
    path: {
        conversation_id: string;
    };
    query?: never;
    url: '/conversations/{conversation_id}';
};

export type ConversationsRemoveErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'sign_in_required' | 'unauthorized' | 'role_missing';
    };
    /**
     * `conversation_not_found`: The signed-in person has no such conversation.
     */
    404: ErrorView & {
        code?: 'conversation_not_found';
    };
    /**
     * `legal_hold`: The tenant is under legal hold; nothing of it can be erased until it is released.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'legal_hold';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ConversationsRemoveError = ConversationsRemoveErrors[keyof ConversationsRemoveErrors];

export type ConversationsRemoveResponses = {
    204: void;
};

export type ConversationsRemoveResponse = ConversationsRemoveResponses[keyof ConversationsRemoveResponses];

export type ConversationsGetData = {
    body?: never;
    path: {
        conversation_id: string;
    };
    query?: never;
    url: '/conversations/{conversation_id}';
};

export type ConversationsGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     */
    401: ErrorView & {
        code?: 'sign_in_required' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `conversation_not_found`: The signed-in person has no such conversation.
     */
    404: ErrorView & {
        code?: 'conversation_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ConversationsGetError = ConversationsGetErrors[keyof ConversationsGetErrors];

export type ConversationsGetResponses = {
    200: ConversationDetailView;
};

export type ConversationsGetResponse = ConversationsGetResponses[keyof ConversationsGetResponses];

export type ConversationsRenameData = {
    body: UpdateConversationBody;
    path: {
        conversation_id: string;
    };
    query?: never;
    url: '/conversations/{conversation_id}';
};

export type ConversationsRenameErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'sign_in_required' | 'unauthorized' | 'role_missing';
    };
    /**
     * `conversation_not_found`: The signed-in person has no such conversation.
     */
    404: ErrorView & {
        code?: 'conversation_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ConversationsRenameError = ConversationsRenameErrors[keyof ConversationsRenameErrors];

export type ConversationsRenameResponses = {
    200: ConversationView;
};

export type ConversationsRenameResponse = ConversationsRenameResponses[keyof ConversationsRenameResponses];

export type UploadpdfUploadData = {
    body: UploadPdfForm;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/chat/upload-pdf';
};

export type UploadpdfUploadErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `bad_request`: The request line, a header or the URL is malformed.
     */
    400: ErrorView & {
        code?: 'bad_request' | 'validation_failed';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `role_missing`: The role of the signed-in person does not allow this.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'role_missing' | 'sign_in_required' | 'unauthorized';
    };
    /**
     * `conversation_not_found`: The signed-in person has no such conversation.
     */
    404: ErrorView & {
        code?: 'conversation_not_found';
    };
    /**
     * `conversation_full`: The conversation has reached its limit; start a new one.
     *
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'conversation_full' | 'idempotency_key_reused';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `upload_timeout`: Indexing the document exceeds the time of its upload; it continues, and later turns find the document.
     */
    504: ErrorView & {
        code?: 'upload_timeout';
    };
    /**
     * `storage_full`: The disk or blob store is full; no change was half done.
     */
    507: ErrorView & {
        code?: 'storage_full';
    };
};

export type UploadpdfUploadError = UploadpdfUploadErrors[keyof UploadpdfUploadErrors];

export type UploadpdfUploadResponses = {
    201: UploadedPdfView;
};

export type UploadpdfUploadResponse = UploadpdfUploadResponses[keyof UploadpdfUploadResponses];

export type PackagesGetData = {
    body?: never;
    path?: never;
    query: {
        /**
         * As people write it: `react`, `@nestjs/core`, `zope.interface`, `com.google.guava:guava`.
         */
        package_name: string;
        ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
        /**
         * Exact: no range and no tag. Default: the latest that is no pre-release.
         */
        version?: string;
        /**
         * The query: words, an identifier or a question.
         */
        query: string;
        /**
         * Maximum number of results.
         */
        top_k?: number;
    };
    url: '/packages/search';
};

export type PackagesGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `package_refused`: The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.
     *
     * `registry_not_configured`: No registry is configured for the ecosystem; the message names the ecosystems that have one.
     */
    400: ErrorView & {
        code?: 'package_refused' | 'registry_not_configured' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     *
     * `package_version_not_found`: The package does not have this version.
     */
    404: ErrorView & {
        code?: 'package_not_found' | 'package_version_not_found';
    };
    /**
     * `package_too_large`: The package exceeds the size limits for indexing.
     */
    413: ErrorView & {
        code?: 'package_too_large';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `registry_unavailable`: The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.
     *
     * `package_unreadable`: The registry sent content that does not match its metadata or cannot be read.
     */
    502: ErrorView & {
        code?: 'package_unreadable' | 'registry_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `registry_timeout`: The package registry did not answer in time.
     *
     * `package_timeout`: Indexing the package exceeds the time of a search; it continues, and a later search finds the package.
     */
    504: ErrorView & {
        code?: 'package_timeout' | 'registry_timeout';
    };
};

export type PackagesGetError = PackagesGetErrors[keyof PackagesGetErrors];

export type PackagesGetResponses = {
    /**
     * Results with citations; or, when nothing is relevant or the policy refuses, a payload without `results`.
     */
    200: PackageSearchResponseView | NoEvidenceView;
};

export type PackagesGetResponse = PackagesGetResponses[keyof PackagesGetResponses];

export type PackagesPostData = {
    body: PackageSearchBody;
    path?: never;
    query?: never;
    url: '/packages/search';
};

export type PackagesPostErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `package_refused`: The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.
     *
     * `registry_not_configured`: No registry is configured for the ecosystem; the message names the ecosystems that have one.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'package_refused' | 'registry_not_configured' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     *
     * `package_version_not_found`: The package does not have this version.
     */
    404: ErrorView & {
        code?: 'package_not_found' | 'package_version_not_found';
    };
    /**
     * `package_too_large`: The package exceeds the size limits for indexing.
     *
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large' | 'package_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `registry_unavailable`: The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.
     *
     * `package_unreadable`: The registry sent content that does not match its metadata or cannot be read.
     */
    502: ErrorView & {
        code?: 'package_unreadable' | 'registry_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `registry_timeout`: The package registry did not answer in time.
     *
     * `package_timeout`: Indexing the package exceeds the time of a search; it continues, and a later search finds the package.
     */
    504: ErrorView & {
        code?: 'package_timeout' | 'registry_timeout';
    };
};

export type PackagesPostError = PackagesPostErrors[keyof PackagesPostErrors];

export type PackagesPostResponses = {
    /**
     * Results with citations; or, when nothing is relevant or the policy refuses, a payload without `results`.
     */
    200: PackageSearchResponseView | NoEvidenceView;
};

export type PackagesPostResponse = PackagesPostResponses[keyof PackagesPostResponses];

export type PackagesListGlobalData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Number of entries to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of entries.
         */
        limit?: number;
        ecosystem?: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
        /**
         * Words of the name or the description.
         */
        query?: string;
    };
    url: '/packages/global';
};

export type PackagesListGlobalErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PackagesListGlobalError = PackagesListGlobalErrors[keyof PackagesListGlobalErrors];

export type PackagesListGlobalResponses = {
    200: GlobalPackageList;
};

export type PackagesListGlobalResponse = PackagesListGlobalResponses[keyof PackagesListGlobalResponses];

export type PackagesGetGlobalData = {
    body?: never;
    path: {
        package_id: string;
    };
    query?: never;
    url: '/packages/global/{package_id}';
};

export type PackagesGetGlobalErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     */
    404: ErrorView & {
        code?: 'package_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PackagesGetGlobalError = PackagesGetGlobalErrors[keyof PackagesGetGlobalErrors];

export type PackagesGetGlobalResponses = {
    200: GlobalPackageView;
};

export type PackagesGetGlobalResponse = PackagesGetGlobalResponses[keyof PackagesGetGlobalResponses];

export type PackagesAddData = {
    body: AddPackageBody;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/packages/add';
};

export type PackagesAddErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `package_refused`: The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.
     *
     * `registry_not_configured`: No registry is configured for the ecosystem; the message names the ecosystems that have one.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'package_refused' | 'registry_not_configured' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     *
     * `package_version_not_found`: The package does not have this version.
     */
    404: ErrorView & {
        code?: 'package_not_found' | 'package_version_not_found';
    };
    /**
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'idempotency_key_reused';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `registry_unavailable`: The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.
     */
    502: ErrorView & {
        code?: 'registry_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `registry_timeout`: The package registry did not answer in time.
     */
    504: ErrorView & {
        code?: 'registry_timeout';
    };
};

export type PackagesAddError = PackagesAddErrors[keyof PackagesAddErrors];

export type PackagesAddResponses = {
    /**
     * The link that the tenant has already.
     */
    200: PackageLinkView;
    /**
     * A new link.
     */
    201: PackageLinkView;
};

export type PackagesAddResponse = PackagesAddResponses[keyof PackagesAddResponses];

export type PackagesListLinksData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Number of entries to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of entries.
         */
        limit?: number;
    };
    url: '/packages/my-packages';
};

export type PackagesListLinksErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PackagesListLinksError = PackagesListLinksErrors[keyof PackagesListLinksErrors];

export type PackagesListLinksResponses = {
    200: PackageLinkList;
};

export type PackagesListLinksResponse = PackagesListLinksResponses[keyof PackagesListLinksResponses];

export type PackagesRemoveLinkData = {
    body?: never;
    path: {
        link_id: string;
    };
    query?: never;
    url: '/packages/my-packages/{link_id}';
};

export type PackagesRemoveLinkErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_link_not_found`: The link does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'package_link_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PackagesRemoveLinkError = PackagesRemoveLinkErrors[keyof PackagesRemoveLinkErrors];

export type PackagesRemoveLinkResponses = {
    204: void;
};

export type PackagesRemoveLinkResponse = PackagesRemoveLinkResponses[keyof PackagesRemoveLinkResponses];

export type PackagecodeGetData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Text or regular expression that a line must contain. Give it or `query`.
         */
        pattern?: string;
        /**
         * Query in place of `pattern`: words, "phrases", /expressions/, `repo:`, `file:`, `lang:`,
         * `sym:`, `content:`, `case:`, `type:`, `-`, `or` and parentheses.
         */
        query?: string;
        /**
         * True: the pattern is a regular expression in the syntax of Rust's `regex`.
         */
        regex?: boolean;
        case_sensitive?: boolean;
        /**
         * True: matches begin and end at word boundaries.
         */
        word?: boolean;
        /**
         * Comma-separated globs: only documents whose path matches one of them.
         */
        path_patterns?: ReadonlyArray<string>;
        /**
         * Comma-separated: only documents in one of these languages.
         */
        languages?: ReadonlyArray<string>;
        /**
         * False leaves stale sources out, where the policy enforces staleness.
         */
        include_stale?: boolean;
        /**
         * Lines before and after each match.
         */
        context_lines?: number;
        /**
         * Maximum number of matching lines. Over 1,000 only with `max_tokens`, or as `text/plain`, which
         * is then sent while it is found.
         */
        limit?: number;
        /**
         * Maximum tokens of the lines in their text form (`path:line:text`). Default: no bound.
         */
        max_tokens?: number;
        /**
         * Milliseconds after which the search returns what it found so far.
         */
        timeout_ms?: number;
        /**
         * `next_cursor` of an incomplete answer to the same request.
         */
        cursor?: string;
        /**
         * As people write it: `react`, `@nestjs/core`, `zope.interface`, `com.google.guava:guava`.
         */
        package_name: string;
        ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
        /**
         * Exact: no range and no tag. Default: the latest that is no pre-release.
         */
        version?: string;
    };
    url: '/packages/search/code';
};

export type PackagecodeGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `package_refused`: The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.
     *
     * `registry_not_configured`: No registry is configured for the ecosystem; the message names the ecosystems that have one.
     */
    400: ErrorView & {
        code?: 'package_refused' | 'registry_not_configured' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     *
     * `package_version_not_found`: The package does not have this version.
     */
    404: ErrorView & {
        code?: 'package_not_found' | 'package_version_not_found';
    };
    /**
     * `package_too_large`: The package exceeds the size limits for indexing.
     */
    413: ErrorView & {
        code?: 'package_too_large';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `registry_unavailable`: The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.
     *
     * `package_unreadable`: The registry sent content that does not match its metadata or cannot be read.
     */
    502: ErrorView & {
        code?: 'package_unreadable' | 'registry_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `registry_timeout`: The package registry did not answer in time.
     *
     * `package_timeout`: Indexing the package exceeds the time of a search; it continues, and a later search finds the package.
     */
    504: ErrorView & {
        code?: 'package_timeout' | 'registry_timeout';
    };
};

export type PackagecodeGetError = PackagecodeGetErrors[keyof PackagecodeGetErrors];

export type PackagecodeGetResponses = {
    /**
     * Matching lines by file; as `text/plain` with `path:line:text` for each line; as `text/event-stream` a `file` event for each file once it is found, then `done`.
     */
    200: PackageCodeSearchView;
};

export type PackagecodeGetResponse = PackagecodeGetResponses[keyof PackagecodeGetResponses];

export type PackagecodePostData = {
    body: PackageCodeSearchBody;
    path?: never;
    query?: never;
    url: '/packages/search/code';
};

export type PackagecodePostErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `package_refused`: The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.
     *
     * `registry_not_configured`: No registry is configured for the ecosystem; the message names the ecosystems that have one.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'package_refused' | 'registry_not_configured' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     *
     * `package_version_not_found`: The package does not have this version.
     */
    404: ErrorView & {
        code?: 'package_not_found' | 'package_version_not_found';
    };
    /**
     * `package_too_large`: The package exceeds the size limits for indexing.
     *
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large' | 'package_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `registry_unavailable`: The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.
     *
     * `package_unreadable`: The registry sent content that does not match its metadata or cannot be read.
     */
    502: ErrorView & {
        code?: 'package_unreadable' | 'registry_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `registry_timeout`: The package registry did not answer in time.
     *
     * `package_timeout`: Indexing the package exceeds the time of a search; it continues, and a later search finds the package.
     */
    504: ErrorView & {
        code?: 'package_timeout' | 'registry_timeout';
    };
};

export type PackagecodePostError = PackagecodePostErrors[keyof PackagecodePostErrors];

export type PackagecodePostResponses = {
    /**
     * Matching lines by file; as `text/plain` with `path:line:text` for each line; as `text/event-stream` a `file` event for each file once it is found, then `done`.
     */
    200: PackageCodeSearchView;
};

export type PackagecodePostResponse = PackagecodePostResponses[keyof PackagecodePostResponses];

export type PackagefilesTreeData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Folder to list. Default: the root.
         */
        path?: string;
        /**
         * Levels below the folder. Default 1; with `glob`, all.
         */
        depth?: number;
        /**
         * Only files whose whole path matches.
         */
        glob?: string;
        /**
         * Number of entries to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of entries.
         */
        limit?: number;
        /**
         * As people write it: `react`, `@nestjs/core`, `zope.interface`, `com.google.guava:guava`.
         */
        package_name: string;
        ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
        /**
         * Exact: no range and no tag. Default: the latest that is no pre-release.
         */
        version?: string;
    };
    url: '/packages/tree';
};

export type PackagefilesTreeErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `package_refused`: The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.
     *
     * `registry_not_configured`: No registry is configured for the ecosystem; the message names the ecosystems that have one.
     */
    400: ErrorView & {
        code?: 'package_refused' | 'registry_not_configured' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     *
     * `package_version_not_found`: The package does not have this version.
     */
    404: ErrorView & {
        code?: 'package_not_found' | 'package_version_not_found';
    };
    /**
     * `content_missing`: Required content is missing from the blob store; a sync of its source rebuilds it.
     */
    409: ErrorView & {
        code?: 'content_missing';
    };
    /**
     * `package_too_large`: The package exceeds the size limits for indexing.
     */
    413: ErrorView & {
        code?: 'package_too_large';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `registry_unavailable`: The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.
     *
     * `package_unreadable`: The registry sent content that does not match its metadata or cannot be read.
     */
    502: ErrorView & {
        code?: 'package_unreadable' | 'registry_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `registry_timeout`: The package registry did not answer in time.
     *
     * `package_timeout`: Indexing the package exceeds the time of a search; it continues, and a later search finds the package.
     */
    504: ErrorView & {
        code?: 'package_timeout' | 'registry_timeout';
    };
};

export type PackagefilesTreeError = PackagefilesTreeErrors[keyof PackagefilesTreeErrors];

export type PackagefilesTreeResponses = {
    200: PackageTreeView;
};

export type PackagefilesTreeResponse = PackagefilesTreeResponses[keyof PackagefilesTreeResponses];

export type PackagefilesFileData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Path of the document, without a fragment.
         */
        path: string;
        /**
         * `text` returns the whole text as `text/plain`, as does `Accept: text/plain`.
         */
        format?: 'json' | 'text';
        /**
         * First line, from 1. Default 1.
         */
        from_line?: number;
        /**
         * Last line, inclusive; at most 2,000 lines are returned. Default: the end, or 2,000 lines.
         */
        to_line?: number;
        /**
         * As people write it: `react`, `@nestjs/core`, `zope.interface`, `com.google.guava:guava`.
         */
        package_name: string;
        ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
        /**
         * Exact: no range and no tag. Default: the latest that is no pre-release.
         */
        version?: string;
    };
    url: '/packages/files';
};

export type PackagefilesFileErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `package_refused`: The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.
     *
     * `registry_not_configured`: No registry is configured for the ecosystem; the message names the ecosystems that have one.
     */
    400: ErrorView & {
        code?: 'package_refused' | 'registry_not_configured' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     *
     * `package_version_not_found`: The package does not have this version.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'package_not_found' | 'package_version_not_found';
    };
    /**
     * `content_missing`: Required content is missing from the blob store; a sync of its source rebuilds it.
     */
    409: ErrorView & {
        code?: 'content_missing';
    };
    /**
     * `package_too_large`: The package exceeds the size limits for indexing.
     */
    413: ErrorView & {
        code?: 'package_too_large';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `registry_unavailable`: The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.
     *
     * `package_unreadable`: The registry sent content that does not match its metadata or cannot be read.
     */
    502: ErrorView & {
        code?: 'package_unreadable' | 'registry_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `registry_timeout`: The package registry did not answer in time.
     *
     * `package_timeout`: Indexing the package exceeds the time of a search; it continues, and a later search finds the package.
     */
    504: ErrorView & {
        code?: 'package_timeout' | 'registry_timeout';
    };
};

export type PackagefilesFileError = PackagefilesFileErrors[keyof PackagefilesFileErrors];

export type PackagefilesFileResponses = {
    /**
     * Lines of the file; as `text/plain` its whole text.
     */
    200: PackageFileView;
};

export type PackagefilesFileResponse = PackagefilesFileResponses[keyof PackagefilesFileResponses];

export type PackagenavigationSymbolsData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Comma-separated globs: only documents whose path matches one of them.
         */
        path_patterns?: ReadonlyArray<string>;
        /**
         * Comma-separated: only documents in one of these languages.
         */
        languages?: ReadonlyArray<string>;
        /**
         * False leaves stale sources out, where the policy enforces staleness.
         */
        include_stale?: boolean;
        /**
         * Maximum number of entries.
         */
        limit?: number;
        /**
         * `next_cursor` of an incomplete answer to the same request.
         */
        cursor?: string;
        /**
         * A name, its beginning, or its humps: `KC` finds `KafkaConsumer`.
         */
        query: string;
        /**
         * As people write it: `react`, `@nestjs/core`, `zope.interface`, `com.google.guava:guava`.
         */
        package_name: string;
        ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
        /**
         * Exact: no range and no tag. Default: the latest that is no pre-release.
         */
        version?: string;
    };
    url: '/packages/symbols';
};

export type PackagenavigationSymbolsErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `package_refused`: The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.
     *
     * `registry_not_configured`: No registry is configured for the ecosystem; the message names the ecosystems that have one.
     */
    400: ErrorView & {
        code?: 'package_refused' | 'registry_not_configured' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     *
     * `package_version_not_found`: The package does not have this version.
     */
    404: ErrorView & {
        code?: 'package_not_found' | 'package_version_not_found';
    };
    /**
     * `package_too_large`: The package exceeds the size limits for indexing.
     */
    413: ErrorView & {
        code?: 'package_too_large';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `registry_unavailable`: The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.
     *
     * `package_unreadable`: The registry sent content that does not match its metadata or cannot be read.
     */
    502: ErrorView & {
        code?: 'package_unreadable' | 'registry_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `registry_timeout`: The package registry did not answer in time.
     *
     * `package_timeout`: Indexing the package exceeds the time of a search; it continues, and a later search finds the package.
     */
    504: ErrorView & {
        code?: 'package_timeout' | 'registry_timeout';
    };
};

export type PackagenavigationSymbolsError = PackagenavigationSymbolsErrors[keyof PackagenavigationSymbolsErrors];

export type PackagenavigationSymbolsResponses = {
    /**
     * Definitions of the release by closeness of the name.
     */
    200: PackageDefinitionsView;
};

export type PackagenavigationSymbolsResponse = PackagenavigationSymbolsResponses[keyof PackagenavigationSymbolsResponses];

export type PackagenavigationDefinitionsData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Comma-separated globs: only documents whose path matches one of them.
         */
        path_patterns?: ReadonlyArray<string>;
        /**
         * Comma-separated: only documents in one of these languages.
         */
        languages?: ReadonlyArray<string>;
        /**
         * False leaves stale sources out, where the policy enforces staleness.
         */
        include_stale?: boolean;
        /**
         * Maximum number of entries.
         */
        limit?: number;
        /**
         * `next_cursor` of an incomplete answer to the same request.
         */
        cursor?: string;
        /**
         * The exact name. Left out with a place.
         */
        name?: string;
        /**
         * Path of the file.
         */
        path?: string;
        /**
         * Line of the identifier in the live version, from 1.
         */
        line?: number;
        /**
         * A column of the identifier in UTF-16 units, from 1.
         */
        column?: number;
        /**
         * As people write it: `react`, `@nestjs/core`, `zope.interface`, `com.google.guava:guava`.
         */
        package_name: string;
        ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
        /**
         * Exact: no range and no tag. Default: the latest that is no pre-release.
         */
        version?: string;
    };
    url: '/packages/definitions';
};

export type PackagenavigationDefinitionsErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `package_refused`: The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.
     *
     * `registry_not_configured`: No registry is configured for the ecosystem; the message names the ecosystems that have one.
     */
    400: ErrorView & {
        code?: 'package_refused' | 'registry_not_configured' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     *
     * `package_version_not_found`: The package does not have this version.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'package_not_found' | 'package_version_not_found';
    };
    /**
     * `package_too_large`: The package exceeds the size limits for indexing.
     */
    413: ErrorView & {
        code?: 'package_too_large';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `registry_unavailable`: The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.
     *
     * `package_unreadable`: The registry sent content that does not match its metadata or cannot be read.
     */
    502: ErrorView & {
        code?: 'package_unreadable' | 'registry_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `registry_timeout`: The package registry did not answer in time.
     *
     * `package_timeout`: Indexing the package exceeds the time of a search; it continues, and a later search finds the package.
     */
    504: ErrorView & {
        code?: 'package_timeout' | 'registry_timeout';
    };
};

export type PackagenavigationDefinitionsError = PackagenavigationDefinitionsErrors[keyof PackagenavigationDefinitionsErrors];

export type PackagenavigationDefinitionsResponses = {
    /**
     * Definitions of the release by closeness of the name.
     */
    200: PackageDefinitionsView;
};

export type PackagenavigationDefinitionsResponse = PackagenavigationDefinitionsResponses[keyof PackagenavigationDefinitionsResponses];

export type PackagenavigationReferencesData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Comma-separated globs: only documents whose path matches one of them.
         */
        path_patterns?: ReadonlyArray<string>;
        /**
         * Comma-separated: only documents in one of these languages.
         */
        languages?: ReadonlyArray<string>;
        /**
         * False leaves stale sources out, where the policy enforces staleness.
         */
        include_stale?: boolean;
        /**
         * Maximum number of lines with references; a line may have several.
         */
        limit?: number;
        /**
         * `next_cursor` of an incomplete answer to the same request.
         */
        cursor?: string;
        /**
         * The exact name. Left out with a place.
         */
        name?: string;
        /**
         * Path of the file.
         */
        path?: string;
        /**
         * Line of the identifier in the live version, from 1.
         */
        line?: number;
        /**
         * A column of the identifier in UTF-16 units, from 1.
         */
        column?: number;
        /**
         * Milliseconds after which the request returns what it found so far.
         */
        timeout_ms?: number;
        /**
         * As people write it: `react`, `@nestjs/core`, `zope.interface`, `com.google.guava:guava`.
         */
        package_name: string;
        ecosystem: 'npm' | 'pypi' | 'cargo' | 'maven' | 'go';
        /**
         * Exact: no range and no tag. Default: the latest that is no pre-release.
         */
        version?: string;
    };
    url: '/packages/references';
};

export type PackagenavigationReferencesErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `package_refused`: The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.
     *
     * `registry_not_configured`: No registry is configured for the ecosystem; the message names the ecosystems that have one.
     */
    400: ErrorView & {
        code?: 'package_refused' | 'registry_not_configured' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `package_not_found`: The package does not exist.
     *
     * `package_version_not_found`: The package does not have this version.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'package_not_found' | 'package_version_not_found';
    };
    /**
     * `package_too_large`: The package exceeds the size limits for indexing.
     */
    413: ErrorView & {
        code?: 'package_too_large';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `registry_unavailable`: The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.
     *
     * `package_unreadable`: The registry sent content that does not match its metadata or cannot be read.
     */
    502: ErrorView & {
        code?: 'package_unreadable' | 'registry_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `registry_timeout`: The package registry did not answer in time.
     *
     * `package_timeout`: Indexing the package exceeds the time of a search; it continues, and a later search finds the package.
     */
    504: ErrorView & {
        code?: 'package_timeout' | 'registry_timeout';
    };
};

export type PackagenavigationReferencesError = PackagenavigationReferencesErrors[keyof PackagenavigationReferencesErrors];

export type PackagenavigationReferencesResponses = {
    /**
     * Identifiers of the release with the name by path and place.
     */
    200: PackageReferencesView;
};

export type PackagenavigationReferencesResponse = PackagenavigationReferencesResponses[keyof PackagenavigationReferencesResponses];

export type RoverListData = {
    body?: never;
    path?: never;
    query?: {
        page?: number;
        per_page?: number;
    };
    url: '/rover/jobs';
};

export type RoverListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type RoverListError = RoverListErrors[keyof RoverListErrors];

export type RoverListResponses = {
    200: RoverJobList;
};

export type RoverListResponse = RoverListResponses[keyof RoverListResponses];

export type RoverCreateData = {
    body: CreateRoverJobBody;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/rover/jobs';
};

export type RoverCreateErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     */
    409: ErrorView & {
        code?: 'idempotency_key_reused';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     *
     * `quota_exceeded`: The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.
     */
    429: ErrorView & {
        code?: 'quota_exceeded' | 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type RoverCreateError = RoverCreateErrors[keyof RoverCreateErrors];

export type RoverCreateResponses = {
    201: RoverJobView;
};

export type RoverCreateResponse = RoverCreateResponses[keyof RoverCreateResponses];

export type RoverCancelData = {
    body?: never;
    path: {
        rover_job_id: string;
    };
    query?: never;
    url: '/rover/jobs/{rover_job_id}';
};

export type RoverCancelErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rover_job_not_found`: The rover job does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'rover_job_not_found';
    };
    /**
     * `rover_job_finished`: The rover job is completed or failed and cannot be cancelled.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'rover_job_finished';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type RoverCancelError = RoverCancelErrors[keyof RoverCancelErrors];

export type RoverCancelResponses = {
    200: RoverJobView;
};

export type RoverCancelResponse = RoverCancelResponses[keyof RoverCancelResponses];

export type RoverGetData = {
    body?: never;
    path: {
        rover_job_id: string;
    };
    query?: never;
    url: '/rover/jobs/{rover_job_id}';
};

export type RoverGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rover_job_not_found`: The rover job does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'rover_job_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type RoverGetError = RoverGetErrors[keyof RoverGetErrors];

export type RoverGetResponses = {
    200: RoverJobView;
};

export type RoverGetResponse = RoverGetResponses[keyof RoverGetResponses];

export type RoverStreamData = {
    body?: never;
    headers?: {
        /**
         * The id of the last event that the client has; anything that is no id of a stream is refused with 400.
         */
        'Last-Event-ID'?: string;
    };
    path: {
        rover_job_id: string;
    };
    query?: never;
    url: '/rover/jobs/{rover_job_id}/stream';
};

export type RoverStreamErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rover_job_not_found`: The rover job does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'rover_job_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type RoverStreamError = RoverStreamErrors[keyof RoverStreamErrors];

export type RoverStreamResponses = {
    /**
     * One event of the stream, its `data` decoded.
     */
    200: ({
        event: 'status';
    } & RoverStatusEvent) | ({
        event: 'step';
    } & RoverStepEvent) | ({
        event: 'token';
    } & RoverTokenEvent) | ({
        event: 'done';
    } & RoverDoneEvent) | ({
        event: 'error';
    } & RoverErrorEvent);
};

export type RoverStreamResponse = RoverStreamResponses[keyof RoverStreamResponses];

export type RoverVerifyData = {
    body?: never;
    path: {
        rover_job_id: string;
    };
    query?: never;
    url: '/rover/jobs/{rover_job_id}/verify';
};

export type RoverVerifyErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rover_job_not_found`: The rover job does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'rover_job_not_found';
    };
    /**
     * `rover_job_not_completed`: The rover job is not completed and has no citations.
     *
     * `receipt_erased`: The query of the receipt was erased with the key of its tenant.
     */
    409: ErrorView & {
        code?: 'receipt_erased' | 'rover_job_not_completed';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `repository_host_unavailable`: The host of the repositories is unavailable; retry after `Retry-After` seconds.
     */
    502: ErrorView & {
        code?: 'repository_host_unavailable';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type RoverVerifyError = RoverVerifyErrors[keyof RoverVerifyErrors];

export type RoverVerifyResponses = {
    200: RoverVerificationView;
};

export type RoverVerifyResponse = RoverVerifyResponses[keyof RoverVerifyResponses];

export type McpDeleteData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/mcp';
};

export type McpDeleteErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `method_not_allowed`: This endpoint takes POST only.
     */
    405: ErrorView & {
        code?: 'method_not_allowed';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type McpDeleteError = McpDeleteErrors[keyof McpDeleteErrors];

export type McpGetData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/mcp';
};

export type McpGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `method_not_allowed`: This endpoint takes POST only.
     */
    405: ErrorView & {
        code?: 'method_not_allowed';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type McpGetError = McpGetErrors[keyof McpGetErrors];

export type McpPostData = {
    /**
     * One JSON-RPC 2.0 message.
     */
    body: {
        [key: string]: unknown;
    };
    path?: never;
    query?: {
        /**
         * Comma-separated: sets of tools in addition to the default. `manage` adds and syncs sources;
         * `audit` reads the trail and receipts.
         */
        tools?: ReadonlyArray<'manage' | 'audit'>;
        /**
         * `structured` returns results as data for programs instead of text.
         */
        output?: 'text' | 'structured';
    };
    url: '/mcp';
};

export type McpPostErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `access_denied`: The access token is valid, but its person has no account or no role here.
     *
     * `origin_refused`: A page of another origin, or a request for another host, may not use this endpoint.
     */
    403: ErrorView & {
        code?: 'access_denied' | 'origin_refused';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     *
     * `provider_unavailable`: The identity provider is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'provider_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type McpPostError = McpPostErrors[keyof McpPostErrors];

export type McpPostResponses = {
    /**
     * One JSON-RPC 2.0 message.
     */
    200: {
        [key: string]: unknown;
    };
    /**
     * A notification was taken.
     */
    202: unknown;
};

export type McpPostResponse = McpPostResponses[keyof McpPostResponses];

export type ResourcemetadataMetadataData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/.well-known/oauth-protected-resource/mcp';
};

export type ResourcemetadataMetadataErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `not_found`: The route does not exist.
     */
    404: ErrorView & {
        code?: 'not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ResourcemetadataMetadataError = ResourcemetadataMetadataErrors[keyof ResourcemetadataMetadataErrors];

export type ResourcemetadataMetadataResponses = {
    200: ProtectedResourceView;
};

export type ResourcemetadataMetadataResponse = ResourcemetadataMetadataResponses[keyof ResourcemetadataMetadataResponses];

export type ReceiptsGetData = {
    body?: never;
    path: {
        receipt_id: string;
    };
    query?: never;
    url: '/receipts/{receipt_id}';
};

export type ReceiptsGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `receipt_not_found`: The receipt does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'receipt_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ReceiptsGetError = ReceiptsGetErrors[keyof ReceiptsGetErrors];

export type ReceiptsGetResponses = {
    /**
     * The receipt. The kind `rover` is that of a rover job, for API keys only.
     */
    200: ReceiptView | RoverReceiptView;
};

export type ReceiptsGetResponse = ReceiptsGetResponses[keyof ReceiptsGetResponses];

export type ReceiptsReplayData = {
    body?: never;
    path: {
        receipt_id: string;
    };
    query?: never;
    url: '/receipts/{receipt_id}/replay';
};

export type ReceiptsReplayErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `receipt_not_found`: The receipt does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'receipt_not_found';
    };
    /**
     * `generation_dropped`: Content that the search read was dropped; the search cannot be replayed.
     *
     * `content_missing`: Required content is missing from the blob store; a sync of its source rebuilds it.
     *
     * `receipt_erased`: The query of the receipt was erased with the key of its tenant.
     *
     * `model_changed`: The search was embedded with a model that is no longer configured.
     */
    409: ErrorView & {
        code?: 'content_missing' | 'generation_dropped' | 'model_changed' | 'receipt_erased';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ReceiptsReplayError = ReceiptsReplayErrors[keyof ReceiptsReplayErrors];

export type ReceiptsReplayResponses = {
    /**
     * The answer, as it was then.
     */
    200: SearchResponseView | MultiHopResponseView | NoEvidenceView | CodeSearchResponseView | DefinitionsView | ReferencesView;
};

export type ReceiptsReplayResponse = ReceiptsReplayResponses[keyof ReceiptsReplayResponses];

export type KeysListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Number of entries to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of entries.
         */
        limit?: number;
        /**
         * Answers as of this time, inclusive, by the `recorded_at` of the audit trail.
         */
        as_of?: string;
        /**
         * Answers as of this record of the audit trail, inclusive.
         */
        as_of_seq?: number;
    };
    url: '/keys';
};

export type KeysListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type KeysListError = KeysListErrors[keyof KeysListErrors];

export type KeysListResponses = {
    200: KeyList;
};

export type KeysListResponse = KeysListResponses[keyof KeysListResponses];

export type KeysCreateData = {
    body: CreateKeyBody;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/keys';
};

export type KeysCreateErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     */
    409: ErrorView & {
        code?: 'idempotency_key_reused';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type KeysCreateError = KeysCreateErrors[keyof KeysCreateErrors];

export type KeysCreateResponses = {
    201: IssuedKeyView;
};

export type KeysCreateResponse = KeysCreateResponses[keyof KeysCreateResponses];

export type KeysRevokeData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: {
        /**
         * Revoke the key though no other of the tenant could make a new one. Default false.
         */
        force?: boolean;
    };
    url: '/keys/{key_id}';
};

export type KeysRevokeErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `key_not_found`: The API key does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'key_not_found';
    };
    /**
     * `last_key`: No other key of the tenant could create a new one; `force=true` revokes it anyway.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'last_key';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type KeysRevokeError = KeysRevokeErrors[keyof KeysRevokeErrors];

export type KeysRevokeResponses = {
    204: void;
};

export type KeysRevokeResponse = KeysRevokeResponses[keyof KeysRevokeResponses];

export type AuthRegisterData = {
    body: RegisterBody;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/auth/register';
};

export type AuthRegisterErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `password_too_common`: The new password is common or derived from personal data of its owner; `details` names the field.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'password_too_common' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `not_found`: The route does not exist.
     */
    404: ErrorView & {
        code?: 'not_found';
    };
    /**
     * `address_taken`: The address already belongs to an account.
     *
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     */
    409: ErrorView & {
        code?: 'address_taken' | 'idempotency_key_reused';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     *
     * `overloaded`: Too many bodies of requests without valid credentials are arriving; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuthRegisterError = AuthRegisterErrors[keyof AuthRegisterErrors];

export type AuthRegisterResponses = {
    201: MeView;
};

export type AuthRegisterResponse = AuthRegisterResponses[keyof AuthRegisterResponses];

export type AuthMethodsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/auth/methods';
};

export type AuthMethodsErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuthMethodsError = AuthMethodsErrors[keyof AuthMethodsErrors];

export type AuthMethodsResponses = {
    200: SignInMethodsView;
};

export type AuthMethodsResponse = AuthMethodsResponses[keyof AuthMethodsResponses];

export type AuthLoginData = {
    body: LoginBody;
    path?: never;
    query?: never;
    url: '/auth/login';
};

export type AuthLoginErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_failed`: The address or the password is wrong.
     */
    401: ErrorView & {
        code?: 'sign_in_failed' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     *
     * `overloaded`: Too many bodies of requests without valid credentials are arriving; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuthLoginError = AuthLoginErrors[keyof AuthLoginErrors];

export type AuthLoginResponses = {
    200: MeView;
};

export type AuthLoginResponse = AuthLoginResponses[keyof AuthLoginResponses];

export type AuthLogoutData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/auth/logout';
};

export type AuthLogoutErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'sign_in_required' | 'unauthorized' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuthLogoutError = AuthLogoutErrors[keyof AuthLogoutErrors];

export type AuthLogoutResponses = {
    204: void;
};

export type AuthLogoutResponse = AuthLogoutResponses[keyof AuthLogoutResponses];

export type AuthLogoutEverywhereData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/auth/logout-everywhere';
};

export type AuthLogoutEverywhereErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'sign_in_required' | 'unauthorized' | 'role_missing';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuthLogoutEverywhereError = AuthLogoutEverywhereErrors[keyof AuthLogoutEverywhereErrors];

export type AuthLogoutEverywhereResponses = {
    204: void;
};

export type AuthLogoutEverywhereResponse = AuthLogoutEverywhereResponses[keyof AuthLogoutEverywhereResponses];

export type AuthEraseData = {
    body: EraseMeBody;
    path?: never;
    query?: never;
    url: '/auth/me';
};

export type AuthEraseErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'sign_in_required' | 'unauthorized' | 'role_missing';
    };
    /**
     * `last_owner`: The tenant would have no owner.
     *
     * `erasure_not_confirmed`: Erasure is permanent and must be confirmed in the request; the message explains how.
     *
     * `legal_hold`: The tenant is under legal hold; nothing of it can be erased until it is released.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'erasure_not_confirmed' | 'last_owner' | 'legal_hold';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuthEraseError = AuthEraseErrors[keyof AuthEraseErrors];

export type AuthEraseResponses = {
    204: void;
};

export type AuthEraseResponse = AuthEraseResponses[keyof AuthEraseResponses];

export type AuthShowData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/auth/me';
};

export type AuthShowErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     */
    401: ErrorView & {
        code?: 'sign_in_required' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuthShowError = AuthShowErrors[keyof AuthShowErrors];

export type AuthShowResponses = {
    200: MeView;
};

export type AuthShowResponse = AuthShowResponses[keyof AuthShowResponses];

export type AuthUpdateData = {
    body: UpdateMeBody;
    path?: never;
    query?: never;
    url: '/auth/me';
};

export type AuthUpdateErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'sign_in_required' | 'unauthorized' | 'role_missing';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuthUpdateError = AuthUpdateErrors[keyof AuthUpdateErrors];

export type AuthUpdateResponses = {
    200: MeView;
};

export type AuthUpdateResponse = AuthUpdateResponses[keyof AuthUpdateResponses];

export type AuthPasswordData = {
    body: ChangePasswordBody;
    path?: never;
    query?: never;
    url: '/auth/password';
};

export type AuthPasswordErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `password_too_common`: The new password is common or derived from personal data of its owner; `details` names the field.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'password_too_common' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `sign_in_failed`: The address or the password is wrong.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'sign_in_failed' | 'sign_in_required' | 'unauthorized' | 'role_missing';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuthPasswordError = AuthPasswordErrors[keyof AuthPasswordErrors];

export type AuthPasswordResponses = {
    200: MeView;
};

export type AuthPasswordResponse = AuthPasswordResponses[keyof AuthPasswordResponses];

export type OpenidconnectLoginData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Path of this service that the browser goes to afterwards.
         */
        return_to?: string;
    };
    url: '/auth/oidc/login';
};

export type OpenidconnectLoginErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `not_found`: The route does not exist.
     */
    404: ErrorView & {
        code?: 'not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     *
     * `provider_unavailable`: The identity provider is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'provider_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type OpenidconnectLoginError = OpenidconnectLoginErrors[keyof OpenidconnectLoginErrors];

export type OpenidconnectCallbackData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/auth/oidc/callback';
};

export type OpenidconnectCallbackErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_failed`: The address or the password is wrong.
     */
    401: ErrorView & {
        code?: 'sign_in_failed' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `not_found`: The route does not exist.
     */
    404: ErrorView & {
        code?: 'not_found';
    };
    /**
     * `address_taken`: The address already belongs to an account.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'address_taken' | 'concurrent_change';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     *
     * `provider_unavailable`: The identity provider is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'provider_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type OpenidconnectCallbackError = OpenidconnectCallbackErrors[keyof OpenidconnectCallbackErrors];

export type MembersListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Number of entries to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of entries.
         */
        limit?: number;
        /**
         * Answers as of this time, inclusive, by the `recorded_at` of the audit trail.
         */
        as_of?: string;
        /**
         * Answers as of this record of the audit trail, inclusive.
         */
        as_of_seq?: number;
    };
    url: '/members';
};

export type MembersListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     */
    401: ErrorView & {
        code?: 'sign_in_required' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type MembersListError = MembersListErrors[keyof MembersListErrors];

export type MembersListResponses = {
    200: MemberList;
};

export type MembersListResponse = MembersListResponses[keyof MembersListResponses];

export type MembersRemoveData = {
    body?: never;
    path: {
        user_id: string;
    };
    query?: never;
    url: '/members/{user_id}';
};

export type MembersRemoveErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `role_missing`: The role of the signed-in person does not allow this.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'role_missing' | 'sign_in_required' | 'unauthorized';
    };
    /**
     * `member_not_found`: The member does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'member_not_found';
    };
    /**
     * `last_owner`: The tenant would have no owner.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'last_owner';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type MembersRemoveError = MembersRemoveErrors[keyof MembersRemoveErrors];

export type MembersRemoveResponses = {
    204: void;
};

export type MembersRemoveResponse = MembersRemoveResponses[keyof MembersRemoveResponses];

export type MembersChangeData = {
    body: ChangeRoleBody;
    path: {
        user_id: string;
    };
    query?: never;
    url: '/members/{user_id}';
};

export type MembersChangeErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `role_missing`: The role of the signed-in person does not allow this.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'role_missing' | 'sign_in_required' | 'unauthorized';
    };
    /**
     * `member_not_found`: The member does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'member_not_found';
    };
    /**
     * `last_owner`: The tenant would have no owner.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'last_owner';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type MembersChangeError = MembersChangeErrors[keyof MembersChangeErrors];

export type MembersChangeResponses = {
    200: MemberView;
};

export type MembersChangeResponse = MembersChangeResponses[keyof MembersChangeResponses];

export type InvitationsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Number of entries to skip at the start.
         */
        skip?: number;
        /**
         * Maximum number of entries.
         */
        limit?: number;
    };
    url: '/invitations';
};

export type InvitationsListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `role_missing`: The role of the signed-in person does not allow this.
     */
    401: ErrorView & {
        code?: 'role_missing' | 'sign_in_required' | 'unauthorized' | 'csrf_invalid';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type InvitationsListError = InvitationsListErrors[keyof InvitationsListErrors];

export type InvitationsListResponses = {
    200: InvitationList;
};

export type InvitationsListResponse = InvitationsListResponses[keyof InvitationsListResponses];

export type InvitationsIssueData = {
    body: InviteBody;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/invitations';
};

export type InvitationsIssueErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `role_missing`: The role of the signed-in person does not allow this.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'role_missing' | 'sign_in_required' | 'unauthorized';
    };
    /**
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     */
    409: ErrorView & {
        code?: 'idempotency_key_reused';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type InvitationsIssueError = InvitationsIssueErrors[keyof InvitationsIssueErrors];

export type InvitationsIssueResponses = {
    201: IssuedInvitationView;
};

export type InvitationsIssueResponse = InvitationsIssueResponses[keyof InvitationsIssueResponses];

export type InvitationsRevokeData = {
    body?: never;
    path: {
        invitation_id: string;
    };
    query?: never;
    url: '/invitations/{invitation_id}';
};

export type InvitationsRevokeErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_required`: This endpoint requires a signed-in person; an API key is not enough.
     *
     * `role_missing`: The role of the signed-in person does not allow this.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'role_missing' | 'sign_in_required' | 'unauthorized';
    };
    /**
     * `invitation_not_found`: The invitation does not exist in this tenant, or its link is unknown, used, revoked or expired.
     */
    404: ErrorView & {
        code?: 'invitation_not_found';
    };
    /**
     * `invitation_closed`: The invitation is already accepted.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'invitation_closed';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type InvitationsRevokeError = InvitationsRevokeErrors[keyof InvitationsRevokeErrors];

export type InvitationsRevokeResponses = {
    204: void;
};

export type InvitationsRevokeResponse = InvitationsRevokeResponses[keyof InvitationsRevokeResponses];

export type AcceptAcceptData = {
    body: AcceptInvitationBody;
    path?: never;
    query?: never;
    url: '/auth/accept';
};

export type AcceptAcceptErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `password_too_common`: The new password is common or derived from personal data of its owner; `details` names the field.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'password_too_common' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `sign_in_failed`: The address or the password is wrong.
     */
    401: ErrorView & {
        code?: 'sign_in_failed' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `invitation_not_found`: The invitation does not exist in this tenant, or its link is unknown, used, revoked or expired.
     */
    404: ErrorView & {
        code?: 'invitation_not_found';
    };
    /**
     * `address_taken`: The address already belongs to an account.
     */
    409: ErrorView & {
        code?: 'address_taken';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     *
     * `overloaded`: Too many bodies of requests without valid credentials are arriving; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AcceptAcceptError = AcceptAcceptErrors[keyof AcceptAcceptErrors];

export type AcceptAcceptResponses = {
    201: MeView;
};

export type AcceptAcceptResponse = AcceptAcceptResponses[keyof AcceptAcceptResponses];

export type PolicyGetData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Answers as of this time, inclusive, by the `recorded_at` of the audit trail.
         */
        as_of?: string;
        /**
         * Answers as of this record of the audit trail, inclusive.
         */
        as_of_seq?: number;
    };
    url: '/policy';
};

export type PolicyGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PolicyGetError = PolicyGetErrors[keyof PolicyGetErrors];

export type PolicyGetResponses = {
    200: PolicyView;
};

export type PolicyGetResponse = PolicyGetResponses[keyof PolicyGetResponses];

export type PolicyUpdateData = {
    body: UpdatePolicyBody;
    headers?: {
        /**
         * An ETag of the policy: the change is made only if the policy still has it.
         */
        'If-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/policy';
};

export type PolicyUpdateErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `policy_changed`: If-Match names a policy version that is no longer current.
     */
    412: ErrorView & {
        code?: 'policy_changed';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PolicyUpdateError = PolicyUpdateErrors[keyof PolicyUpdateErrors];

export type PolicyUpdateResponses = {
    200: PolicyView;
};

export type PolicyUpdateResponse = PolicyUpdateResponses[keyof PolicyUpdateResponses];

export type PolicyResetData = {
    body?: never;
    headers?: {
        /**
         * An ETag of the policy: the change is made only if the policy still has it.
         */
        'If-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/policy/reset';
};

export type PolicyResetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `policy_changed`: If-Match names a policy version that is no longer current.
     */
    412: ErrorView & {
        code?: 'policy_changed';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PolicyResetError = PolicyResetErrors[keyof PolicyResetErrors];

export type PolicyResetResponses = {
    200: PolicyView;
};

export type PolicyResetResponse = PolicyResetResponses[keyof PolicyResetResponses];

export type PolicyHistoryData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Returns entries past this `seq`, in the order of the answer. Default: from the first.
         */
        after?: number;
        /**
         * Maximum number of entries to return.
         */
        limit?: number;
        /**
         * `desc` returns the newest first.
         */
        order?: 'asc' | 'desc';
    };
    url: '/policy/history';
};

export type PolicyHistoryErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PolicyHistoryError = PolicyHistoryErrors[keyof PolicyHistoryErrors];

export type PolicyHistoryResponses = {
    200: HistoryList;
};

export type PolicyHistoryResponse = PolicyHistoryResponses[keyof PolicyHistoryResponses];

export type PolicyDiffData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The first moment, inclusive, by the `recorded_at` of the audit trail.
         */
        from?: string;
        /**
         * The first moment as a record of the audit trail, inclusive.
         */
        from_seq?: number;
        /**
         * The second moment, inclusive. Default: now.
         */
        to?: string;
        /**
         * The second moment as a record of the audit trail, inclusive.
         */
        to_seq?: number;
    };
    url: '/policy/diff';
};

export type PolicyDiffErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PolicyDiffError = PolicyDiffErrors[keyof PolicyDiffErrors];

export type PolicyDiffResponses = {
    200: PolicyDiffView;
};

export type PolicyDiffResponse = PolicyDiffResponses[keyof PolicyDiffResponses];

export type PolicyRollbackData = {
    body: RollbackPolicyBody;
    headers?: {
        /**
         * An ETag of the policy: the change is made only if the policy still has it.
         */
        'If-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/policy/rollback';
};

export type PolicyRollbackErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `policy_changed`: If-Match names a policy version that is no longer current.
     */
    412: ErrorView & {
        code?: 'policy_changed';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PolicyRollbackError = PolicyRollbackErrors[keyof PolicyRollbackErrors];

export type PolicyRollbackResponses = {
    200: PolicyRollbackView;
};

export type PolicyRollbackResponse = PolicyRollbackResponses[keyof PolicyRollbackResponses];

export type PolicysimulationSimulateData = {
    body: SimulatePolicyBody;
    path?: never;
    query?: never;
    url: '/policy/simulate';
};

export type PolicysimulationSimulateErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type PolicysimulationSimulateError = PolicysimulationSimulateErrors[keyof PolicysimulationSimulateErrors];

export type PolicysimulationSimulateResponses = {
    200: PolicySimulationView;
};

export type PolicysimulationSimulateResponse = PolicysimulationSimulateResponses[keyof PolicysimulationSimulateResponses];

export type AnalyticsSearchesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * First moment, by `recorded_at`. Default: 30 days before `to`.
         */
        from?: string;
        /**
         * Last moment, inclusive. Default: now.
         */
        to?: string;
        bucket?: 'hour' | 'day' | 'week';
    };
    url: '/analytics/searches';
};

export type AnalyticsSearchesErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AnalyticsSearchesError = AnalyticsSearchesErrors[keyof AnalyticsSearchesErrors];

export type AnalyticsSearchesResponses = {
    200: SearchesAnalyticsView;
};

export type AnalyticsSearchesResponse = AnalyticsSearchesResponses[keyof AnalyticsSearchesResponses];

export type AnalyticsNoEvidenceData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * First moment, by `recorded_at`. Default: 30 days before `to`.
         */
        from?: string;
        /**
         * Last moment, inclusive. Default: now.
         */
        to?: string;
        bucket?: 'hour' | 'day' | 'week';
    };
    url: '/analytics/no-evidence';
};

export type AnalyticsNoEvidenceErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AnalyticsNoEvidenceError = AnalyticsNoEvidenceErrors[keyof AnalyticsNoEvidenceErrors];

export type AnalyticsNoEvidenceResponses = {
    200: NoEvidenceAnalyticsView;
};

export type AnalyticsNoEvidenceResponse = AnalyticsNoEvidenceResponses[keyof AnalyticsNoEvidenceResponses];

export type AnalyticsStaleHitsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * First moment, by `recorded_at`. Default: 30 days before `to`.
         */
        from?: string;
        /**
         * Last moment, inclusive. Default: now.
         */
        to?: string;
        bucket?: 'hour' | 'day' | 'week';
    };
    url: '/analytics/stale-hits';
};

export type AnalyticsStaleHitsErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AnalyticsStaleHitsError = AnalyticsStaleHitsErrors[keyof AnalyticsStaleHitsErrors];

export type AnalyticsStaleHitsResponses = {
    200: StaleHitsAnalyticsView;
};

export type AnalyticsStaleHitsResponse = AnalyticsStaleHitsResponses[keyof AnalyticsStaleHitsResponses];

export type AnalyticsUsageData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * First moment, by `recorded_at`. Default: 30 days before `to`.
         */
        from?: string;
        /**
         * Last moment, inclusive. Default: now.
         */
        to?: string;
        bucket?: 'hour' | 'day' | 'week';
    };
    url: '/analytics/usage';
};

export type AnalyticsUsageErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AnalyticsUsageError = AnalyticsUsageErrors[keyof AnalyticsUsageErrors];

export type AnalyticsUsageResponses = {
    200: UsageAnalyticsView;
};

export type AnalyticsUsageResponse = AnalyticsUsageResponses[keyof AnalyticsUsageResponses];

export type AnalyticsJobsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * First moment, by `recorded_at`. Default: 30 days before `to`.
         */
        from?: string;
        /**
         * Last moment, inclusive. Default: now.
         */
        to?: string;
        bucket?: 'hour' | 'day' | 'week';
    };
    url: '/analytics/jobs';
};

export type AnalyticsJobsErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AnalyticsJobsError = AnalyticsJobsErrors[keyof AnalyticsJobsErrors];

export type AnalyticsJobsResponses = {
    200: JobsAnalyticsView;
};

export type AnalyticsJobsResponse = AnalyticsJobsResponses[keyof AnalyticsJobsResponses];

export type AuditListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only records from this time on, by `recorded_at`.
         */
        from?: string;
        /**
         * Only records up to and including this time, by `recorded_at`.
         */
        to?: string;
        /**
         * Only this action, such as `policy.updated`, or all of a kind: `policy.*`.
         */
        action?: string;
        /**
         * Only actions of this category.
         */
        category?: 'admin' | 'access' | 'job' | 'search' | 'data';
        /**
         * Only actions with this outcome.
         */
        outcome?: 'success' | 'failure' | 'denied';
        /**
         * Only acts of this kind of actor.
         */
        actor_type?: 'api_key' | 'user' | 'system' | 'operator' | 'anonymous';
        /**
         * Only acts of this actor.
         */
        actor_id?: string;
        /**
         * Kind of the target; needs `target_id`.
         */
        target_type?: string;
        /**
         * Only acts on this target, which is the first or second of the record; needs `target_type`.
         */
        target_id?: string;
        /**
         * Only acts of this request.
         */
        request_id?: string;
        /**
         * Returns entries past this `seq`, in the order of the answer. Default: from the first.
         */
        after?: number;
        /**
         * Maximum number of entries to return.
         */
        limit?: number;
        /**
         * `desc` returns the newest first.
         */
        order?: 'asc' | 'desc';
    };
    url: '/audit/events';
};

export type AuditListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditListError = AuditListErrors[keyof AuditListErrors];

export type AuditListResponses = {
    200: AuditEventList;
};

export type AuditListResponse = AuditListResponses[keyof AuditListResponses];

export type AuditGetData = {
    body?: never;
    path: {
        event_id: string;
    };
    query?: never;
    url: '/audit/events/{event_id}';
};

export type AuditGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `audit_event_not_found`: The audit record does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'audit_event_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditGetError = AuditGetErrors[keyof AuditGetErrors];

export type AuditGetResponses = {
    200: AuditEventView;
};

export type AuditGetResponse = AuditGetResponses[keyof AuditGetResponses];

export type AuditproofsCheckpointsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only checkpoints of smaller trees.
         */
        before?: number;
        /**
         * Maximum number of checkpoints to return.
         */
        limit?: number;
    };
    url: '/audit/checkpoints';
};

export type AuditproofsCheckpointsErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditproofsCheckpointsError = AuditproofsCheckpointsErrors[keyof AuditproofsCheckpointsErrors];

export type AuditproofsCheckpointsResponses = {
    200: CheckpointList;
};

export type AuditproofsCheckpointsResponse = AuditproofsCheckpointsResponses[keyof AuditproofsCheckpointsResponses];

export type AuditproofsSignData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/audit/checkpoints';
};

export type AuditproofsSignErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `audit_trail_altered`: The audit trail does not match its signed checkpoints; nothing more is signed.
     *
     * `audit_key_missing`: The key ring no longer has the key that signs the checkpoints of this tenant.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'audit_key_missing' | 'audit_trail_altered' | 'concurrent_change';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditproofsSignError = AuditproofsSignErrors[keyof AuditproofsSignErrors];

export type AuditproofsSignResponses = {
    200: CheckpointView;
};

export type AuditproofsSignResponse = AuditproofsSignResponses[keyof AuditproofsSignResponses];

export type AuditproofsKeysData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/audit/keys';
};

export type AuditproofsKeysErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditproofsKeysError = AuditproofsKeysErrors[keyof AuditproofsKeysErrors];

export type AuditproofsKeysResponses = {
    200: AuditKeyList;
};

export type AuditproofsKeysResponse = AuditproofsKeysResponses[keyof AuditproofsKeysResponses];

export type AuditproofsProofData = {
    body?: never;
    path?: never;
    query: {
        /**
         * The record to prove.
         */
        seq: number;
        /**
         * Size of the tree, such as that of a checkpoint. Default: all records.
         */
        size?: number;
    };
    url: '/audit/proof';
};

export type AuditproofsProofErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditproofsProofError = AuditproofsProofErrors[keyof AuditproofsProofErrors];

export type AuditproofsProofResponses = {
    200: AuditProofView;
};

export type AuditproofsProofResponse = AuditproofsProofResponses[keyof AuditproofsProofResponses];

export type AuditproofsConsistencyData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Size of the smaller tree.
         */
        from: number;
        /**
         * Size of the larger tree. Default: all records.
         */
        to?: number;
    };
    url: '/audit/consistency';
};

export type AuditproofsConsistencyErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditproofsConsistencyError = AuditproofsConsistencyErrors[keyof AuditproofsConsistencyErrors];

export type AuditproofsConsistencyResponses = {
    200: AuditConsistencyView;
};

export type AuditproofsConsistencyResponse = AuditproofsConsistencyResponses[keyof AuditproofsConsistencyResponses];

export type AuditproofsVerifyData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * First record to check.
         */
        from_seq?: number;
        /**
         * Last record to check. Default: the newest.
         */
        to_seq?: number;
    };
    url: '/audit/verify';
};

export type AuditproofsVerifyErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditproofsVerifyError = AuditproofsVerifyErrors[keyof AuditproofsVerifyErrors];

export type AuditproofsVerifyResponses = {
    200: TrailVerification;
};

export type AuditproofsVerifyResponse = AuditproofsVerifyResponses[keyof AuditproofsVerifyResponses];

export type AuditproofsVerifyCheckpointData = {
    body: VerifyCheckpointBody;
    path?: never;
    query?: never;
    url: '/audit/verify';
};

export type AuditproofsVerifyCheckpointErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditproofsVerifyCheckpointError = AuditproofsVerifyCheckpointErrors[keyof AuditproofsVerifyCheckpointErrors];

export type AuditproofsVerifyCheckpointResponses = {
    200: CheckpointVerification;
};

export type AuditproofsVerifyCheckpointResponse = AuditproofsVerifyCheckpointResponses[keyof AuditproofsVerifyCheckpointResponses];

export type AuditlogCheckpointData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/audit/log/checkpoint';
};

export type AuditlogCheckpointErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `not_found`: The route does not exist.
     */
    404: ErrorView & {
        code?: 'not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditlogCheckpointError = AuditlogCheckpointErrors[keyof AuditlogCheckpointErrors];

export type AuditlogCheckpointResponses = {
    200: string;
};

export type AuditlogCheckpointResponse = AuditlogCheckpointResponses[keyof AuditlogCheckpointResponses];

export type AuditlogTileData = {
    body?: never;
    path: {
        /**
         * `<L>/<N>[.p/<W>]` or `entries/<N>[.p/<W>]`; it contains slashes.
         */
        path: string;
    };
    query?: never;
    url: '/audit/log/tile/{path}';
};

export type AuditlogTileErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `not_found`: The route does not exist.
     */
    404: ErrorView & {
        code?: 'not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditlogTileError = AuditlogTileErrors[keyof AuditlogTileErrors];

export type AuditlogTileResponses = {
    200: Blob | File;
};

export type AuditlogTileResponse = AuditlogTileResponses[keyof AuditlogTileResponses];

export type AuditexportExportData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only records from this time on, by `recorded_at`.
         */
        from?: string;
        /**
         * Only records up to and including this time, by `recorded_at`.
         */
        to?: string;
        /**
         * Only this action, such as `policy.updated`, or all of a kind: `policy.*`.
         */
        action?: string;
        /**
         * Only actions of this category.
         */
        category?: 'admin' | 'access' | 'job' | 'search' | 'data';
        /**
         * Only actions with this outcome.
         */
        outcome?: 'success' | 'failure' | 'denied';
        /**
         * Only acts of this kind of actor.
         */
        actor_type?: 'api_key' | 'user' | 'system' | 'operator' | 'anonymous';
        /**
         * Only acts of this actor.
         */
        actor_id?: string;
        /**
         * Kind of the target; needs `target_id`.
         */
        target_type?: string;
        /**
         * Only acts on this target, which is the first or second of the record; needs `target_type`.
         */
        target_id?: string;
        /**
         * Only acts of this request.
         */
        request_id?: string;
        /**
         * `ndjson` can be verified; `csv` is for spreadsheets, `ocsf` for security monitoring.
         */
        format?: 'ndjson' | 'csv' | 'ocsf';
        /**
         * Members that every record goes without: `data`, `context` or both, separated by a comma.
         */
        omit?: string;
        /**
         * Only records past this `seq`: continues an export that ended early.
         */
        after?: number;
    };
    url: '/audit/export';
};

export type AuditexportExportErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type AuditexportExportError = AuditexportExportErrors[keyof AuditexportExportErrors];

export type AuditexportExportResponses = {
    /**
     * The export; `application/x-ndjson` for `ndjson` and `ocsf`.
     */
    200: Blob | File;
};

export type AuditexportExportResponse = AuditexportExportResponses[keyof AuditexportExportResponses];

export type FeedListData = {
    body?: never;
    headers?: {
        /**
         * The id of the last event that the client has.
         */
        'Last-Event-ID'?: string;
    };
    path?: never;
    query?: {
        /**
         * Returns entries past this `seq`, in the order of the answer. Default: from the first.
         */
        after?: number;
        /**
         * Maximum number of entries to return.
         */
        limit?: number;
        /**
         * Only events of these types, separated by commas. Default: all.
         */
        types?: string;
    };
    url: '/events';
};

export type FeedListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type FeedListError = FeedListErrors[keyof FeedListErrors];

export type FeedListResponses = {
    /**
     * The page, or the stream. The schema of the stream is that of each event.
     */
    200: FeedEventPage;
};

export type FeedListResponse = FeedListResponses[keyof FeedListResponses];

export type WebhooksListData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/webhooks';
};

export type WebhooksListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type WebhooksListError = WebhooksListErrors[keyof WebhooksListErrors];

export type WebhooksListResponses = {
    200: WebhookList;
};

export type WebhooksListResponse = WebhooksListResponses[keyof WebhooksListResponses];

export type WebhooksCreateData = {
    body: CreateWebhookBody;
    headers?: {
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours the same key with the same body and path answers as the first time; with another body or path: 409 `idempotency_key_reused`.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/webhooks';
};

export type WebhooksCreateErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `webhook_limit_reached`: The tenant has as many webhook endpoints as WEBHOOKS_PER_TENANT allows; delete one.
     *
     * `idempotency_key_reused`: The Idempotency-Key was used with another body.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'idempotency_key_reused' | 'webhook_limit_reached';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type WebhooksCreateError = WebhooksCreateErrors[keyof WebhooksCreateErrors];

export type WebhooksCreateResponses = {
    201: CreatedWebhookView;
};

export type WebhooksCreateResponse = WebhooksCreateResponses[keyof WebhooksCreateResponses];

export type WebhooksRemoveData = {
    body?: never;
    path: {
        webhook_id: string;
    };
    query?: never;
    url: '/webhooks/{webhook_id}';
};

export type WebhooksRemoveErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `webhook_not_found`: The webhook does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'webhook_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type WebhooksRemoveError = WebhooksRemoveErrors[keyof WebhooksRemoveErrors];

export type WebhooksRemoveResponses = {
    204: void;
};

export type WebhooksRemoveResponse = WebhooksRemoveResponses[keyof WebhooksRemoveResponses];

export type WebhooksGetData = {
    body?: never;
    path: {
        webhook_id: string;
    };
    query?: never;
    url: '/webhooks/{webhook_id}';
};

export type WebhooksGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `webhook_not_found`: The webhook does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'webhook_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type WebhooksGetError = WebhooksGetErrors[keyof WebhooksGetErrors];

export type WebhooksGetResponses = {
    200: WebhookView;
};

export type WebhooksGetResponse = WebhooksGetResponses[keyof WebhooksGetResponses];

export type WebhooksUpdateData = {
    body: UpdateWebhookBody;
    path: {
        webhook_id: string;
    };
    query?: never;
    url: '/webhooks/{webhook_id}';
};

export type WebhooksUpdateErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `webhook_not_found`: The webhook does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'webhook_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type WebhooksUpdateError = WebhooksUpdateErrors[keyof WebhooksUpdateErrors];

export type WebhooksUpdateResponses = {
    200: WebhookView;
};

export type WebhooksUpdateResponse = WebhooksUpdateResponses[keyof WebhooksUpdateResponses];

export type WebhooksTestData = {
    body?: never;
    path: {
        webhook_id: string;
    };
    query?: never;
    url: '/webhooks/{webhook_id}/test';
};

export type WebhooksTestErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `webhook_not_found`: The webhook does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'webhook_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type WebhooksTestError = WebhooksTestErrors[keyof WebhooksTestErrors];

export type WebhooksTestResponses = {
    202: WebhookEventView;
};

export type WebhooksTestResponse = WebhooksTestResponses[keyof WebhooksTestResponses];

export type WebhooksRotateData = {
    body?: never;
    path: {
        webhook_id: string;
    };
    query?: never;
    url: '/webhooks/{webhook_id}/rotate-secret';
};

export type WebhooksRotateErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `webhook_not_found`: The webhook does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'webhook_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type WebhooksRotateError = WebhooksRotateErrors[keyof WebhooksRotateErrors];

export type WebhooksRotateResponses = {
    200: RotatedSecretView;
};

export type WebhooksRotateResponse = WebhooksRotateResponses[keyof WebhooksRotateResponses];

export type WebhooksDeliveriesData = {
    body?: never;
    path: {
        webhook_id: string;
    };
    query?: {
        /**
         * The `next` of the last page. Default: from the newest on.
         */
        before?: number;
    };
    url: '/webhooks/{webhook_id}/deliveries';
};

export type WebhooksDeliveriesErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `webhook_not_found`: The webhook does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'webhook_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type WebhooksDeliveriesError = WebhooksDeliveriesErrors[keyof WebhooksDeliveriesErrors];

export type WebhooksDeliveriesResponses = {
    200: WebhookDeliveryList;
};

export type WebhooksDeliveriesResponse = WebhooksDeliveriesResponses[keyof WebhooksDeliveriesResponses];

export type WebhooksRedeliverData = {
    body?: never;
    path: {
        webhook_id: string;
        event_id: string;
    };
    query?: never;
    url: '/webhooks/{webhook_id}/deliveries/{event_id}/redeliver';
};

export type WebhooksRedeliverErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `webhook_not_found`: The webhook does not exist in this tenant.
     *
     * `audit_event_not_found`: The audit record does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'audit_event_not_found' | 'webhook_not_found';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type WebhooksRedeliverError = WebhooksRedeliverErrors[keyof WebhooksRedeliverErrors];

export type WebhooksRedeliverResponses = {
    202: WebhookEventView;
};

export type WebhooksRedeliverResponse = WebhooksRedeliverResponses[keyof WebhooksRedeliverResponses];

export type TenantEraseData = {
    body: EraseTenantBody;
    path?: never;
    query?: never;
    url: '/tenant';
};

export type TenantEraseErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     *
     * `role_missing`: The role of the signed-in person does not allow this.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'role_missing' | 'scope_missing' | 'unauthorized';
    };
    /**
     * `not_found`: The route does not exist.
     */
    404: ErrorView & {
        code?: 'not_found';
    };
    /**
     * `erasure_not_confirmed`: Erasure is permanent and must be confirmed in the request; the message explains how.
     *
     * `legal_hold`: The tenant is under legal hold; nothing of it can be erased until it is released.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'erasure_not_confirmed' | 'legal_hold';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type TenantEraseError = TenantEraseErrors[keyof TenantEraseErrors];

export type TenantEraseResponses = {
    202: TenantErasureView;
};

export type TenantEraseResponse = TenantEraseResponses[keyof TenantEraseResponses];

export type LegalholdReleaseData = {
    body: ChangeLegalHoldBody;
    headers?: {
        /**
         * An ETag of the hold: the change is made only if the hold still has it.
         */
        'If-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/legal-hold';
};

export type LegalholdReleaseErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     *
     * `role_missing`: The role of the signed-in person does not allow this.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'role_missing' | 'scope_missing' | 'unauthorized';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `legal_hold_changed`: If-Match names a version of the legal hold that is no longer current.
     */
    412: ErrorView & {
        code?: 'legal_hold_changed';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type LegalholdReleaseError = LegalholdReleaseErrors[keyof LegalholdReleaseErrors];

export type LegalholdReleaseResponses = {
    200: LegalHoldView;
};

export type LegalholdReleaseResponse = LegalholdReleaseResponses[keyof LegalholdReleaseResponses];

export type LegalholdGetData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/legal-hold';
};

export type LegalholdGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type LegalholdGetError = LegalholdGetErrors[keyof LegalholdGetErrors];

export type LegalholdGetResponses = {
    200: LegalHoldView;
};

export type LegalholdGetResponse = LegalholdGetResponses[keyof LegalholdGetResponses];

export type LegalholdSetData = {
    body: ChangeLegalHoldBody;
    headers?: {
        /**
         * An ETag of the hold: the change is made only if the hold still has it.
         */
        'If-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/legal-hold';
};

export type LegalholdSetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `malformed_json`: The body is not JSON, or is nested too deeply.
     */
    400: ErrorView & {
        code?: 'malformed_json' | 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     *
     * `role_missing`: The role of the signed-in person does not allow this.
     *
     * `csrf_invalid`: The CSRF token is missing or wrong.
     */
    401: ErrorView & {
        code?: 'csrf_invalid' | 'role_missing' | 'scope_missing' | 'unauthorized';
    };
    /**
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change';
    };
    /**
     * `legal_hold_changed`: If-Match names a version of the legal hold that is no longer current.
     */
    412: ErrorView & {
        code?: 'legal_hold_changed';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type LegalholdSetError = LegalholdSetErrors[keyof LegalholdSetErrors];

export type LegalholdSetResponses = {
    200: LegalHoldView;
};

export type LegalholdSetResponse = LegalholdSetResponses[keyof LegalholdSetResponses];

export type QuotaGetData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/quota';
};

export type QuotaGetErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type QuotaGetError = QuotaGetErrors[keyof QuotaGetErrors];

export type QuotaGetResponses = {
    200: QuotaView;
};

export type QuotaGetResponse = QuotaGetResponses[keyof QuotaGetResponses];

export type QuotaUsageData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/quota/usage';
};

export type QuotaUsageErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type QuotaUsageError = QuotaUsageErrors[keyof QuotaUsageErrors];

export type QuotaUsageResponses = {
    200: QuotaUsageView;
};

export type QuotaUsageResponse = QuotaUsageResponses[keyof QuotaUsageResponses];

export type HealthLiveData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/live';
};

export type HealthLiveErrors = {
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
};

export type HealthLiveError = HealthLiveErrors[keyof HealthLiveErrors];

export type HealthLiveResponses = {
    200: LiveView;
};

export type HealthLiveResponse = HealthLiveResponses[keyof HealthLiveResponses];

export type HealthReadyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/ready';
};

export type HealthReadyErrors = {
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * Not ready; `checks` shows why.
     */
    503: ReadyView;
};

export type HealthReadyError = HealthReadyErrors[keyof HealthReadyErrors];

export type HealthReadyResponses = {
    200: ReadyView;
};

export type HealthReadyResponse = HealthReadyResponses[keyof HealthReadyResponses];

export type MetricsTextData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};

export type MetricsTextErrors = {
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
};

export type MetricsTextError = MetricsTextErrors[keyof MetricsTextErrors];

export type MetricsTextResponses = {
    200: string;
};

export type MetricsTextResponse = MetricsTextResponses[keyof MetricsTextResponses];

export type RootRootData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/';
};

export type RootRootErrors = {
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
};

export type RootRootError = RootRootErrors[keyof RootRootErrors];

export type RootRootResponses = {
    200: RootView;
};

export type RootRootResponse = RootRootResponses[keyof RootRootResponses];

export type SchemasSchemaData = {
    body?: never;
    path: {
        event_type: string;
        version: number;
    };
    query?: never;
    url: '/schemas/{event_type}/{version}';
};

export type SchemasSchemaErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `not_found`: The route does not exist.
     */
    404: ErrorView & {
        code?: 'not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SchemasSchemaError = SchemasSchemaErrors[keyof SchemasSchemaErrors];

export type SchemasSchemaResponses = {
    200: {
        [key: string]: unknown;
    };
};

export type SchemasSchemaResponse = SchemasSchemaResponses[keyof SchemasSchemaResponses];

export type SchemasAsyncApiData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/asyncapi.json';
};

export type SchemasAsyncApiErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     */
    401: ErrorView & {
        code?: 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type SchemasAsyncApiError = SchemasAsyncApiErrors[keyof SchemasAsyncApiErrors];

export type SchemasAsyncApiResponses = {
    200: {
        [key: string]: unknown;
    };
};

export type SchemasAsyncApiResponse = SchemasAsyncApiResponses[keyof SchemasAsyncApiResponses];

export type ScipRemoveData = {
    body?: never;
    path: {
        source_id: string;
    };
    query?: {
        /**
         * Name of the index. Default: all indexes of the source.
         */
        name?: string;
    };
    url: '/sources/{source_id}/scip';
};

export type ScipRemoveErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'source_not_found';
    };
    /**
     * `legal_hold`: The tenant is under legal hold; nothing of it can be erased until it is released.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'legal_hold';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ScipRemoveError = ScipRemoveErrors[keyof ScipRemoveErrors];

export type ScipRemoveResponses = {
    204: void;
};

export type ScipRemoveResponse = ScipRemoveResponses[keyof ScipRemoveResponses];

export type ScipListData = {
    body?: never;
    path: {
        source_id: string;
    };
    query?: never;
    url: '/sources/{source_id}/scip';
};

export type ScipListErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     */
    400: ErrorView & {
        code?: 'validation_failed' | 'bad_request';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     */
    404: ErrorView & {
        code?: 'source_not_found';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
};

export type ScipListError = ScipListErrors[keyof ScipListErrors];

export type ScipListResponses = {
    200: ScipIndexList;
};

export type ScipListResponse = ScipListResponses[keyof ScipListResponses];

export type ScipUploadData = {
    /**
     * A SCIP index (protobuf), at most 256 MiB.
     */
    body: Blob | File;
    path: {
        source_id: string;
    };
    query: {
        /**
         * Version of the source that was indexed: of a repository, the commit. It must be kept.
         */
        version_ref: string;
        /**
         * Distinguishes the indexes of one source, such as one for each language or project.
         */
        name?: string;
        /**
         * Folder of the source that the paths of the index begin in. Default: its root.
         */
        root?: string;
    };
    url: '/sources/{source_id}/scip';
};

export type ScipUploadErrors = {
    /**
     * `validation_failed`: A field or parameter is missing, unknown, of the wrong type or out of range.
     *
     * `bad_request`: The request line, a header or the URL is malformed.
     */
    400: ErrorView & {
        code?: 'bad_request' | 'validation_failed';
    };
    /**
     * `unauthorized`: The request has no valid credentials.
     *
     * `scope_missing`: The API key does not have the scope that this endpoint requires.
     */
    401: ErrorView & {
        code?: 'scope_missing' | 'unauthorized' | 'csrf_invalid' | 'role_missing';
    };
    /**
     * `source_not_found`: The source does not exist in this tenant.
     *
     * `content_not_found`: The live generation of the source does not have this path.
     */
    404: ErrorView & {
        code?: 'content_not_found' | 'source_not_found';
    };
    /**
     * `content_missing`: Required content is missing from the blob store; a sync of its source rebuilds it.
     *
     * `generation_dropped`: Content that the search read was dropped; the search cannot be replayed.
     *
     * `concurrent_change`: The change kept conflicting with others until the deadline; retry the request.
     */
    409: ErrorView & {
        code?: 'concurrent_change' | 'content_missing' | 'generation_dropped';
    };
    /**
     * `body_too_large`: The body exceeds the size limit.
     */
    413: ErrorView & {
        code?: 'body_too_large';
    };
    /**
     * `unsupported_media_type`: This endpoint does not support the content type.
     */
    415: ErrorView & {
        code?: 'unsupported_media_type';
    };
    /**
     * `rate_limited`: Too many requests; retry after `Retry-After` seconds.
     */
    429: ErrorView & {
        code?: 'rate_limited';
    };
    /**
     * `headers_too_large`: The request line and headers exceed the size limit.
     */
    431: ErrorView & {
        code?: 'headers_too_large';
    };
    /**
     * `internal_error`: Internal error. Search the logs for this request ID.
     */
    500: ErrorView & {
        code?: 'internal_error';
    };
    /**
     * `engine_unavailable`: An engine that this request needs is unavailable; retry after `Retry-After` seconds.
     */
    503: ErrorView & {
        code?: 'engine_unavailable' | 'overloaded' | 'shutting_down';
    };
    /**
     * `storage_full`: The disk or blob store is full; no change was half done.
     */
    507: ErrorView & {
        code?: 'storage_full';
    };
};

export type ScipUploadError = ScipUploadErrors[keyof ScipUploadErrors];

export type ScipUploadResponses = {
    200: ScipUploadView;
};

export type ScipUploadResponse = ScipUploadResponses[keyof ScipUploadResponses];
