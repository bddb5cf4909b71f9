/** The subject areas of audit records. */
export const AUDIT_CATEGORIES = ['admin', 'access', 'job', 'search', 'data'] as const;
export type AuditCategory = (typeof AUDIT_CATEGORIES)[number];

/** The outcome of the recorded act. `denied`: it was refused. */
export const AUDIT_OUTCOMES = ['success', 'failure', 'denied'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** A thing that an event is about. */
export interface AuditTarget {
  readonly type: string;
  readonly id: string;
}

/** Locates the id of a target. */
export interface TargetRule {
  readonly type: string;
  /**
   * A field of the event's data, whose value is a text or a list of texts. `$stream`: the name of
   * the stream after its first dash. `$id`: the id of the event.
   */
  readonly field: string;
}

/** Class and activity of OCSF 1.3 (Open Cybersecurity Schema Framework). */
export interface OcsfClass {
  readonly class_uid: 3001 | 3002 | 3004 | 3005 | 6003;
  readonly activity_id: number;
}

/** The properties that the audit trail derives from the type of an event. */
export interface AuditAction {
  /** Noun and past participle, such as `policy.updated`; stable, and unique to the event type. */
  readonly action: string;
  readonly category: AuditCategory;
  readonly outcome: AuditOutcome;
  readonly targets: readonly TargetRule[];
  readonly ocsf: OcsfClass;
}
