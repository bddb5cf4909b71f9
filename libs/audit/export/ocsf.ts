import { auditAction } from '../catalogue/derive-action.js';
import type { PartialRecord } from '../record/audit-record.js';

/** Version of OCSF that the lines follow. */
const OCSF_VERSION = '1.3.0';
const INFORMATIONAL = 1;
const STATUS = { success: 1, failure: 2, denied: 2 } as const;

/** Returns a record as a line of JSON in the Open Cybersecurity Schema Framework. */
export function ocsfLine(record: PartialRecord): string {
  return `${JSON.stringify(ocsfEvent(record))}\n`;
}

function ocsfEvent(record: PartialRecord): object {
  const { class_uid, activity_id } = auditAction(record.type).ocsf;
  const { actor, context, targets = [], changes, data } = record;
  const user = { uid: actor.id, type: actor.type, ...(actor.name && { name: actor.name }) };
  const ofUser = targets.find(({ type }) => type === 'user');
  const [subject] = targets;
  return {
    class_uid,
    category_uid: Math.floor(class_uid / 1_000),
    activity_id,
    type_uid: class_uid * 100 + activity_id,
    activity_name: record.action,
    severity_id: INFORMATIONAL,
    status_id: STATUS[record.outcome],
    status: record.outcome,
    time: epochMs(record.occurred_at),
    metadata: {
      version: OCSF_VERSION,
      product: { name: 'Footnote', vendor_name: 'Footnote' },
      uid: record.id,
      event_code: record.type,
      sequence: record.seq,
      correlation_uid: record.correlation_id,
      logged_time: epochMs(record.recorded_at),
    },
    actor: { user },
    // The subject of an account, sign-in or access event if it is a person; otherwise the actor.
    user: ofUser ? { uid: ofUser.id } : user,
    ...(subject && { entity: { type: subject.type, uid: subject.id } }),
    ...(class_uid === 6003 && { api: { operation: record.action } }),
    ...(context && {
      src_endpoint: { ip: context.ip },
      http_request: {
        uid: context.request_id,
        http_method: context.method,
        url: { path: context.path },
        user_agent: context.user_agent,
      },
    }),
    unmapped: {
      category: record.category,
      targets,
      changes,
      data,
      stream: record.stream,
      revision: record.revision,
      causation_id: record.causation_id,
      prev_hash: record.prev_hash,
      hash: record.hash,
    },
  };
}

/** @param time ISO 8601, from the record. */
function epochMs(time: string): number {
  // eslint-disable-next-line no-restricted-globals -- reads a text, not the clock
  return Date.parse(time);
}
