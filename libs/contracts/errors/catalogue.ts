/**
 * Every error code that leaves the service, with its HTTP status. Codes are stable and never reused;
 * `docs/errors.md` lists the same rows and a test holds the two together.
 */
export const ERROR_CATALOGUE = {
  validation_failed: {
    status: 400,
    meaning: 'A field or parameter is missing, unknown, of the wrong type or out of range.',
  },
  password_too_common: {
    status: 400,
    meaning: 'The password to be is often used, or made of what is known of its owner; `details` names the field.',
  },
  search_too_costly: {
    status: 400,
    meaning: 'The search takes more computing than one search may use; a narrower scope or fewer patterns help.',
  },
  malformed_json: { status: 400, meaning: 'The body is not JSON, or is nested too deeply.' },
  bad_request: { status: 400, meaning: 'The request line, a header or the URL cannot be read.' },
  unauthorized: { status: 401, meaning: 'No valid credentials were sent.' },
  scope_missing: { status: 401, meaning: 'The API key lacks the scope that this endpoint needs.' },
  sign_in_required: { status: 401, meaning: 'This needs a signed-in person; an API key alone is not enough.' },
  role_missing: { status: 401, meaning: 'The role of the signed-in person does not allow this.' },
  sign_in_failed: { status: 401, meaning: 'Address and password do not belong together.' },
  csrf_invalid: { status: 401, meaning: 'The CSRF token is missing or wrong.' },
  not_found: { status: 404, meaning: 'There is no such route.' },
  source_not_found: { status: 404, meaning: 'There is no such source in this tenant.' },
  job_not_found: { status: 404, meaning: 'There is no such job in this tenant.' },
  key_not_found: { status: 404, meaning: 'There is no such API key in this tenant.' },
  member_not_found: { status: 404, meaning: 'There is no such member in this tenant.' },
  invitation_not_found: {
    status: 404,
    meaning: 'There is no such invitation in this tenant, or its link is unknown, used, revoked or expired.',
  },
  conversation_not_found: { status: 404, meaning: 'The signed-in person has no such conversation.' },
  receipt_not_found: { status: 404, meaning: 'There is no such receipt in this tenant.' },
  package_refused: {
    status: 400,
    meaning: 'The name or version is none of its ecosystem; a version is exact: no range and no tag.',
  },
  registry_not_configured: {
    status: 400,
    meaning: 'The operator configured no registry for the ecosystem; the message names the ecosystems that have one.',
  },
  package_not_found: { status: 404, meaning: 'There is no such package.' },
  package_version_not_found: { status: 404, meaning: 'The package has no such version.' },
  package_link_not_found: { status: 404, meaning: 'There is no such link in this tenant.' },
  content_not_found: { status: 404, meaning: 'The source has no such path in its live generation.' },
  request_timeout: { status: 408, meaning: 'The request took too long to arrive.' },
  source_history_full: {
    status: 409,
    meaning: 'The source has had 16 MiB of definitions; what it fetches changes no more. Register a new source.',
  },
  sync_in_progress: { status: 409, meaning: 'A sync of this source is pending or running.' },
  job_finished: { status: 409, meaning: 'The job is completed or failed and cannot be cancelled.' },
  last_key: {
    status: 409,
    meaning: 'No other key of the tenant could make a new one; `force=true` revokes it all the same.',
  },
  erasure_not_confirmed: {
    status: 409,
    meaning: 'What is erased cannot come back: the request has to confirm it, and the message says how.',
  },
  address_taken: { status: 409, meaning: 'The address belongs to an account already.' },
  last_owner: { status: 409, meaning: 'The tenant would be left without an owner.' },
  invitation_closed: { status: 409, meaning: 'The invitation was accepted already.' },
  conversation_full: { status: 409, meaning: 'The conversation takes no more: begin another one.' },
  idempotency_key_reused: { status: 409, meaning: 'The Idempotency-Key was used with another body.' },
  generation_dropped: {
    status: 409,
    meaning: 'Content that the search read is not kept any more; it cannot be replayed.',
  },
  content_missing: {
    status: 409,
    meaning: 'Content that this needs is missing from the blob store; a sync of its source builds it anew.',
  },
  receipt_erased: { status: 409, meaning: 'The query of the receipt was erased with the key of its tenant.' },
  model_changed: { status: 409, meaning: 'The search was embedded with a model that is not in use now.' },
  concurrent_change: { status: 409, meaning: 'The change kept colliding with others until the deadline; repeat it.' },
  policy_changed: { status: 412, meaning: 'If-Match names a policy version that is no longer current.' },
  body_too_large: { status: 413, meaning: 'The body is over the limit.' },
  package_too_large: { status: 413, meaning: 'The package is over the limits of what is indexed.' },
  unsupported_media_type: { status: 415, meaning: 'The content type is not one this endpoint takes.' },
  headers_too_large: { status: 431, meaning: 'The request line and headers are over the limit.' },
  rate_limited: { status: 429, meaning: 'Too many requests; Retry-After tells when to come back.' },
  quota_exceeded: {
    status: 429,
    meaning: "The tenant's plan allows no more; `details` names the limit, Retry-After when to repeat.",
  },
  internal_error: { status: 500, meaning: 'Something failed inside; the request id finds it in the logs.' },
  registry_unavailable: {
    status: 502,
    meaning: 'The registry of the package is away, refuses, or asks to wait; Retry-After tells where it said when.',
  },
  package_unreadable: { status: 502, meaning: 'What the registry sent is not what it promised, or cannot be read.' },
  engine_unavailable: {
    status: 503,
    meaning: 'An engine that this request needs is away; Retry-After tells when to come back.',
  },
  overloaded: {
    status: 503,
    meaning: 'Too many bodies of requests without valid credentials arrive at once; repeat after Retry-After seconds.',
  },
  provider_unavailable: {
    status: 503,
    meaning: 'The identity provider that people sign in by is away; Retry-After tells when to come back.',
  },
  shutting_down: { status: 503, meaning: 'The process is shutting down; repeat the request.' },
  registry_timeout: { status: 504, meaning: 'The registry of the package did not answer in time.' },
  package_timeout: {
    status: 504,
    meaning: 'The package was not indexed within the time of a search; that goes on, and a later search finds it.',
  },
  upload_timeout: {
    status: 504,
    meaning: 'The document was not indexed within the time of its upload; that goes on, and later turns find it.',
  },
  storage_full: { status: 507, meaning: 'The disk or blob store is full; nothing was half done.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly meaning: string }>>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
