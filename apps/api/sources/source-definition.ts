import {
  definitionBytes,
  type FieldProblem,
  MAX_DEFINITION_BYTES,
  registeredType,
  type SourceDefinition,
  type SourceType,
  type Upload,
  validationFailed,
} from '#contracts';
import { isBranchName } from '#ingest/git/resolve-git-head';
import type { FileUrlRules } from '#ingest/git-url/file-url';
import { parseGitUrl } from '#ingest/git-url/git-url';
import { secretOfUrl } from '#ingest/redact/redact-urls';
import { patternListProblems, patternProblems } from '#search';

/** The limits of the operator on sources. */
export interface SourceRules {
  readonly fileUrls: FileUrlRules;
}

/**
 * The fields of a request that make up a definition; which ones fit depends on the source's type.
 */
export interface DefinitionFields {
  readonly url?: string | undefined;
  readonly branch?: string | undefined;
  readonly docs_format?: 'html' | 'openapi' | undefined;
  readonly doc_urls?: readonly string[] | undefined;
  readonly use_sitemap?: boolean | undefined;
  readonly doc_version_label?: string | undefined;
  readonly include_patterns?: readonly string[] | undefined;
  readonly exclude_patterns?: readonly string[] | undefined;
}

const DEFAULT_BRANCH = 'main';

/**
 * The definition of a new source, defaults filled in.
 * @throws FootnoteError `validation_failed` that names every field that does not fit.
 */
export function newDefinition(
  type: SourceType,
  fields: DefinitionFields & { readonly url: string },
  rules: SourceRules,
): SourceDefinition {
  requireSmallLists(fields);
  return checked(type, { ...fields, url: fields.url }, rules);
}

/** The definition of a source that is an uploaded file. */
export function uploadedDefinition(upload: Upload): SourceDefinition {
  return {
    source_type: 'pdf',
    url: upload.file_name,
    upload,
    include_patterns: [],
    exclude_patterns: [],
  };
}

/** A definition after the given fields were changed. @throws FootnoteError `validation_failed`. */
export function changedDefinition(
  current: SourceDefinition,
  changes: DefinitionFields,
  rules: SourceRules,
): SourceDefinition {
  const format = changes.docs_format ?? current.docs_format;
  const kept = format === current.docs_format ? current : withoutFormatFields(current);
  const given = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
  const type = registeredType(current);
  requireSmallLists(changes);
  return checked(type, { ...kept, ...given, url: changes.url ?? current.url }, rules, current);
}

/**
 * Bounds the lists of a request alone: definitions in the log may have larger ones, which remain.
 */
function requireSmallLists({ include_patterns, exclude_patterns }: DefinitionFields): void {
  const problems = [
    ...patternListProblems('include_patterns', include_patterns),
    ...patternListProblems('exclude_patterns', exclude_patterns),
  ];
  if (problems.length > 0) throw validationFailed(problems);
}

/** True when the request changes anything but the name. */
export function touchesDefinition(changes: DefinitionFields): boolean {
  return DEFINITION_FIELDS.some((field) => changes[field] !== undefined);
}

const DEFINITION_FIELDS = [
  'url',
  'branch',
  'docs_format',
  'doc_urls',
  'use_sitemap',
  'doc_version_label',
  'include_patterns',
  'exclude_patterns',
] as const;

function checked(
  type: SourceType,
  fields: DefinitionFields & { readonly url: string },
  rules: SourceRules,
  current?: SourceDefinition,
): SourceDefinition {
  const upload = current?.upload;
  const problems = [
    ...misfits(type, fields),
    ...(upload ? uploadProblems(fields, upload) : urlProblems(type, fields, rules)),
    ...patternProblems('include_patterns', fields.include_patterns),
    ...patternProblems('exclude_patterns', fields.exclude_patterns),
  ];
  if (fields.branch !== undefined && type === 'repo' && !isBranchName(fields.branch)) {
    problems.push({ field: 'branch', message: 'is not a valid name of a branch, tag or commit' });
  }
  if (problems.length === 0) problems.push(...secretProblems(type, fields, current));
  if (problems.length > 0) throw validationFailed(problems);
  return withinLimit({
    source_type: type,
    url: fields.url,
    ...(upload && { upload }),
    ...typeFields(type, fields),
    include_patterns: [...(fields.include_patterns ?? [])],
    exclude_patterns: [...(fields.exclude_patterns ?? [])],
  });
}

/**
 * The limit on each field bounds none of the others: their sum is what the log and each list would
 * carry.
 */
function withinLimit(definition: SourceDefinition): SourceDefinition {
  const bytes = definitionBytes(definition);
  if (bytes <= MAX_DEFINITION_BYTES) return definition;
  const message = `must have at most ${MAX_DEFINITION_BYTES} bytes of JSON in url, doc_urls, patterns and the other fields of what is fetched (got ${bytes}); spread the pages over several sources`;
  throw validationFailed([{ field: 'body', message }]);
}

function typeFields(type: SourceType, fields: DefinitionFields): Partial<SourceDefinition> {
  if (type === 'repo') return { branch: fields.branch ?? DEFAULT_BRANCH };
  if (type === 'pdf') return {};
  if (fields.docs_format === 'openapi') {
    const label = fields.doc_version_label;
    return { docs_format: 'openapi', ...(label === undefined ? {} : { doc_version_label: label }) };
  }
  return {
    docs_format: 'html',
    doc_urls: [...(fields.doc_urls ?? [])],
    use_sitemap: fields.use_sitemap ?? false,
  };
}

/** Fields that were given although they do not fit the type. */
function misfits(type: SourceType, fields: DefinitionFields): FieldProblem[] {
  const openapi = fields.docs_format === 'openapi';
  const fits: Readonly<Record<string, string | null>> = {
    branch: type === 'repo' ? null : 'applies to repo sources only',
    docs_format: type === 'docs' ? null : 'applies to docs sources only',
    doc_urls: type === 'docs' && !openapi ? null : 'applies to docs sources of format html only',
    use_sitemap: type === 'docs' && !openapi ? null : 'applies to docs sources of format html only',
    doc_version_label:
      type === 'docs' && openapi ? null : 'applies to docs sources of format openapi only',
  };
  return Object.entries(fits).flatMap(([field, message]) =>
    message !== null && fields[field as keyof DefinitionFields] !== undefined
      ? [{ field, message }]
      : [],
  );
}

function uploadProblems({ url }: { readonly url: string }, { file_name }: Upload): FieldProblem[] {
  if (url === file_name) return [];
  return [
    {
      field: 'url',
      message:
        'cannot change: the file of this source was uploaded; upload the other as a new source',
    },
  ];
}

function urlProblems(
  type: SourceType,
  fields: DefinitionFields & { readonly url: string },
  rules: SourceRules,
) {
  const problems: FieldProblem[] = [];
  if (type === 'repo') {
    const parsed = parseGitUrl(fields.url, rules);
    if (typeof parsed === 'string')
      problems.push({ field: 'url', message: `is refused: ${parsed}` });
    return problems;
  }
  const problem = webUrlProblem(fields.url);
  if (problem) problems.push({ field: 'url', message: problem });
  for (const [index, url] of (fields.doc_urls ?? []).entries()) {
    const wrong = webUrlProblem(url);
    if (wrong) problems.push({ field: 'doc_urls', message: `item ${index} ${wrong}` });
  }
  return problems;
}

/**
 * URLs are stored in the log and shown in citations, so that a secret in one would be public and
 * outlive its erasure. Old sources retain theirs until the URL changes: their visible URLs are
 * redacted.
 */
function secretProblems(
  type: SourceType,
  fields: DefinitionFields,
  current?: SourceDefinition,
): FieldProblem[] {
  const known = new Set(current && textsOf(current).map(({ text }) => text));
  return textsOf(fields).flatMap(({ field, item, text }) => {
    const secret = known.has(text) ? null : secretOfUrl(text);
    if (secret === null) return [];
    const place = item === undefined ? '' : `item ${item} `;
    const why = `must not carry a secret (${secret} looks like one), because URLs are stored and shown`;
    return [{ field, message: `${place}${why}; ${WITHOUT_SECRET[type]}` }];
  });
}

const WITHOUT_SECRET: Readonly<Record<SourceType, string>> = {
  repo: 'send it in credentials instead',
  docs: 'use an address that needs none',
  pdf: 'use an address that needs none, or upload the file with POST /sources/upload',
};

/** The texts of a definition that are URLs or may name one. */
function textsOf({
  url,
  doc_urls = [],
  include_patterns = [],
  exclude_patterns = [],
}: DefinitionFields) {
  const lists = { doc_urls, include_patterns, exclude_patterns };
  const items = Object.entries(lists).flatMap(([field, list]) =>
    list.map((text, item) => ({ field, item, text })),
  );
  return [...(url === undefined ? [] : [{ field: 'url', item: undefined, text: url }]), ...items];
}

function webUrlProblem(text: string): string | null {
  if (/[\s\\\p{Cc}]/u.test(text))
    return 'has white space, a backslash or a control character in it';
  if (!URL.canParse(text)) return 'must be an http:// or https:// URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'must be an http:// or https:// URL';
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  return null;
}

/**
 * A change of the format starts from the new format's defaults: the other one's fields would not
 * fit.
 */
function withoutFormatFields(definition: SourceDefinition): SourceDefinition {
  const kept = { ...definition };
  delete kept.doc_urls;
  delete kept.use_sitemap;
  delete kept.doc_version_label;
  return kept;
}
