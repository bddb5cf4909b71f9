/**
 * Every error code of the HTTP API, with its status. Codes are stable and never reused. A test
 * compares this table with `docs/errors.md`.
 */
export const ERROR_CATALOGUE = {
  validation_failed: {
    status: 400,
    meaning: 'A field or parameter is missing, unknown, of the wrong type or out of range.',
  },
  password_too_common: {
    status: 400,
    meaning:
      'The new password is common or derived from personal data of its owner; `details` names the field.',
  },
  search_too_costly: {
    status: 400,
    meaning:
      'The search exceeds the computing limit of one search; use a narrower scope or fewer patterns.',
  },
  malformed_json: { status: 400, meaning: 'The body is not JSON, or is nested too deeply.' },
  bad_request: { status: 400, meaning: 'The request line, a header or the URL is malformed.' },
  unauthorized: { status: 401, meaning: 'The request has no valid credentials.' },
  scope_missing: {
    status: 401,
    meaning: 'The API key does not have the scope that this endpoint requires.',
  },
  sign_in_required: {
    status: 401,
    meaning: 'This endpoint requires a signed-in person; an API key is not enough.',
  },
  role_missing: { status: 401, meaning: 'The role of the signed-in person does not allow this.' },
  sign_in_failed: { status: 401, meaning: 'The address or the password is wrong.' },
  csrf_invalid: { status: 401, meaning: 'The CSRF token is missing or wrong.' },
  access_denied: {
    status: 403,
    meaning: 'The access token is valid, but its person has no account or no role here.',
  },
  origin_refused: {
    status: 403,
    meaning: 'A page of another origin, or a request for another host, may not use this endpoint.',
  },
  not_found: { status: 404, meaning: 'The route does not exist.' },
  method_not_allowed: { status: 405, meaning: 'This endpoint takes POST only.' },
  source_not_found: { status: 404, meaning: 'The source does not exist in this tenant.' },
  job_not_found: { status: 404, meaning: 'The job does not exist in this tenant.' },
  rover_job_not_found: { status: 404, meaning: 'The rover job does not exist in this tenant.' },
  key_not_found: { status: 404, meaning: 'The API key does not exist in this tenant.' },
  audit_event_not_found: {
    status: 404,
    meaning: 'The audit record does not exist in this tenant.',
  },
  audit_trail_altered: {
    status: 409,
    meaning: 'The audit trail does not match its signed checkpoints; nothing more is signed.',
  },
  audit_key_missing: {
    status: 409,
    meaning: 'The key ring no longer has the key that signs the checkpoints of this tenant.',
  },
  webhook_not_found: { status: 404, meaning: 'The webhook does not exist in this tenant.' },
  webhook_limit_reached: {
    status: 409,
    meaning: 'The tenant has as many webhook endpoints as WEBHOOKS_PER_TENANT allows; delete one.',
  },
  member_not_found: { status: 404, meaning: 'The member does not exist in this tenant.' },
  invitation_not_found: {
    status: 404,
    meaning:
      'The invitation does not exist in this tenant, or its link is unknown, used, revoked or expired.',
  },
  conversation_not_found: {
    status: 404,
    meaning: 'The signed-in person has no such conversation.',
  },
  receipt_not_found: { status: 404, meaning: 'The receipt does not exist in this tenant.' },
  package_refused: {
    status: 400,
    meaning:
      'The name or version is invalid for the ecosystem. A version must be exact: no range and no tag.',
  },
  registry_not_configured: {
    status: 400,
    meaning:
      'No registry is configured for the ecosystem; the message names the ecosystems that have one.',
  },
  package_not_found: { status: 404, meaning: 'The package does not exist.' },
  package_version_not_found: { status: 404, meaning: 'The package does not have this version.' },
  package_link_not_found: { status: 404, meaning: 'The link does not exist in this tenant.' },
  content_not_found: {
    status: 404,
    meaning: 'The live generation of the source does not have this path.',
  },
  request_timeout: { status: 408, meaning: 'The request took too long to arrive.' },
  source_history_full: {
    status: 409,
    meaning:
      'The definitions of this source have reached 16 MiB and cannot change again. Register a new source.',
  },
  sync_in_progress: { status: 409, meaning: 'A sync of this source is pending or running.' },
  job_finished: { status: 409, meaning: 'The job is completed or failed and cannot be cancelled.' },
  rover_job_finished: {
    status: 409,
    meaning: 'The rover job is completed or failed and cannot be cancelled.',
  },
  rover_job_not_completed: {
    status: 409,
    meaning: 'The rover job is not completed and has no citations.',
  },
  last_key: {
    status: 409,
    meaning: 'No other key of the tenant could create a new one; `force=true` revokes it anyway.',
  },
  erasure_not_confirmed: {
    status: 409,
    meaning: 'Erasure is permanent and must be confirmed in the request; the message explains how.',
  },
  legal_hold: {
    status: 409,
    meaning: 'The tenant is under legal hold; nothing of it can be erased until it is released.',
  },
  address_taken: { status: 409, meaning: 'The address already belongs to an account.' },
  last_owner: { status: 409, meaning: 'The tenant would have no owner.' },
  invitation_closed: { status: 409, meaning: 'The invitation is already accepted.' },
  conversation_full: {
    status: 409,
    meaning: 'The conversation has reached its limit; start a new one.',
  },
  idempotency_key_reused: {
    status: 409,
    meaning: 'The Idempotency-Key was used with another body.',
  },
  generation_dropped: {
    status: 409,
    meaning: 'Content that the search read was dropped; the search cannot be replayed.',
  },
  content_missing: {
    status: 409,
    meaning: 'Required content is missing from the blob store; a sync of its source rebuilds it.',
  },
  receipt_erased: {
    status: 409,
    meaning: 'The query of the receipt was erased with the key of its tenant.',
  },
  model_changed: {
    status: 409,
    meaning: 'The search was embedded with a model that is no longer configured.',
  },
  concurrent_change: {
    status: 409,
    meaning: 'The change kept conflicting with others until the deadline; retry the request.',
  },
  policy_changed: {
    status: 412,
    meaning: 'If-Match names a policy version that is no longer current.',
  },
  legal_hold_changed: {
    status: 412,
    meaning: 'If-Match names a version of the legal hold that is no longer current.',
  },
  body_too_large: { status: 413, meaning: 'The body exceeds the size limit.' },
  package_too_large: { status: 413, meaning: 'The package exceeds the size limits for indexing.' },
  unsupported_media_type: {
    status: 415,
    meaning: 'This endpoint does not support the content type.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The request line and headers exceed the size limit.',
  },
  rate_limited: { status: 429, meaning: 'Too many requests; retry after `Retry-After` seconds.' },
  quota_exceeded: {
    status: 429,
    meaning:
      "The limit of the tenant's plan is reached; `details` names it, `Retry-After` says when to retry.",
  },
  internal_error: { status: 500, meaning: 'Internal error. Search the logs for this request ID.' },
  registry_unavailable: {
    status: 502,
    meaning:
      'The package registry is unavailable, refuses the request or asks to wait; `Retry-After` is set if known.',
  },
  repository_host_unavailable: {
    status: 502,
    meaning: 'The host of the repositories is unavailable; retry after `Retry-After` seconds.',
  },
  package_unreadable: {
    status: 502,
    meaning: 'The registry sent content that does not match its metadata or cannot be read.',
  },
  engine_unavailable: {
    status: 503,
    meaning: 'An engine that this request needs is unavailable; retry after `Retry-After` seconds.',
  },
  overloaded: {
    status: 503,
    meaning:
      'Too many bodies of requests without valid credentials are arriving; retry after `Retry-After` seconds.',
  },
  provider_unavailable: {
    status: 503,
    meaning: 'The identity provider is unavailable; retry after `Retry-After` seconds.',
  },
  shutting_down: { status: 503, meaning: 'The process is shutting down; retry the request.' },
  registry_timeout: { status: 504, meaning: 'The package registry did not answer in time.' },
  package_timeout: {
    status: 504,
    meaning:
      'Indexing the package exceeds the time of a search; it continues, and a later search finds the package.',
  },
  upload_timeout: {
    status: 504,
    meaning:
      'Indexing the document exceeds the time of its upload; it continues, and later turns find the document.',
  },
  storage_full: {
    status: 507,
    meaning: 'The disk or blob store is full; no change was half done.',
  },
} as const satisfies Readonly<
  Record<string, { readonly status: number; readonly meaning: string }>
>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
