import { httpUrl, integer, text, witnesses } from './parsers.js';
import { optional, variable } from './variable.js';

/** Variables of signed checkpoints of the audit trail, and of webhooks. */
export const AUDIT_VARIABLES = {
  AUDIT_CHECKPOINT_MINUTES: variable(
    integer(0, 10_080),
    '60',
    "Minutes between two signed checkpoints of a tenant's audit trail, if it grew; 0 signs only on request. See docs/audit.md.",
  ),
  AUDIT_WITNESSES: optional(
    witnesses,
    'Witnesses that cosign each checkpoint: key and address of each, such as `witness.example.com+1a2b3c4d+BAbc… https://witness.example.com`, separated by commas. See docs/how-to/keep-checkpoints-elsewhere.md.',
  ),
  AUDIT_COPIES_ENDPOINT: optional(
    httpUrl,
    'S3 endpoint that gets a copy of each checkpoint, locked in compliance mode; no copies if unset.',
  ),
  AUDIT_COPIES_BUCKET: variable(
    text,
    'footnote-audit',
    'Bucket for the copies; it must exist, with Object Lock.',
  ),
  AUDIT_COPIES_REGION: variable(text, 'us-east-1', 'Region of that bucket.'),
  AUDIT_COPIES_ACCESS_KEY_ID: optional(text, 'Access key for AUDIT_COPIES_ENDPOINT.'),
  AUDIT_COPIES_SECRET_ACCESS_KEY: optional(
    text,
    'Secret of AUDIT_COPIES_ACCESS_KEY_ID; that key needs only PutObject, PutObjectRetention and GetObject.',
    true,
  ),
  AUDIT_COPIES_DAYS: variable(
    integer(1, 36_500),
    '365',
    'Days during which nobody can delete a copy.',
  ),
  WEBHOOKS_PER_TENANT: variable(
    integer(0, 1_000),
    '10',
    'Webhook endpoints that one tenant may have. See docs/webhooks.md.',
  ),
} as const;
