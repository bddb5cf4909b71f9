import type { AUDIT_VARIABLES } from './audit-variables.js';
import { needed } from './needed.js';
import type { WitnessAddress } from './parsers.js';

type Values = {
  readonly [Name in keyof typeof AUDIT_VARIABLES]:
    ReturnType<(typeof AUDIT_VARIABLES)[Name]['parse']> | undefined;
};

/** Signed checkpoints of the audit trail, and who gets them. */
export interface AuditSettings {
  /** Time between two signed checkpoints of a tenant; 0: only on request. */
  readonly checkpointMinutes: number;
  /** Witnesses that cosign checkpoints. */
  readonly witnesses: readonly WitnessAddress[];
  /** Locked copies of checkpoints in S3; undefined: none. */
  readonly copies:
    | {
        readonly endpoint: string;
        readonly bucket: string;
        readonly region: string;
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
        /** Days during which nobody can delete a copy. */
        readonly days: number;
      }
    | undefined;
}

/** @throws ConfigError for an endpoint without its credentials. */
export function auditSettings(values: Values): AuditSettings {
  return {
    checkpointMinutes: values.AUDIT_CHECKPOINT_MINUTES ?? 60,
    witnesses: values.AUDIT_WITNESSES ?? [],
    copies: copies(values),
  };
}

function copies(values: Values): AuditSettings['copies'] {
  const endpoint = values.AUDIT_COPIES_ENDPOINT;
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    bucket: values.AUDIT_COPIES_BUCKET ?? 'footnote-audit',
    region: values.AUDIT_COPIES_REGION ?? 'us-east-1',
    accessKeyId: needed(
      'AUDIT_COPIES_ACCESS_KEY_ID',
      values.AUDIT_COPIES_ACCESS_KEY_ID,
      'AUDIT_COPIES_ENDPOINT',
    ),
    secretAccessKey: needed(
      'AUDIT_COPIES_SECRET_ACCESS_KEY',
      values.AUDIT_COPIES_SECRET_ACCESS_KEY,
      'AUDIT_COPIES_ENDPOINT',
    ),
    days: values.AUDIT_COPIES_DAYS ?? 365,
  };
}
