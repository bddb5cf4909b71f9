import { auditAction } from '#audit';
import { EVENT_DEFINITIONS, validationFailed } from '#contracts';
import type { AuditFilterQuery } from '#contracts/http/index';
import type { AuditFilter } from '#read-model';

const ACTION = /^[a-z_]+\.(?:[a-z_]+|\*)$/;

/**
 * Returns the filter of a request. Action, category and outcome select types of events.
 * @throws FootnoteError `validation_failed` for an unknown action or half a target.
 */
export function auditFilter(query: AuditFilterQuery): AuditFilter {
  const { actor_type, actor_id, request_id, from, to } = query;
  const types = typesOf(query);
  const target = targetOf(query);
  return {
    ...(types ? { types } : {}),
    ...(target === undefined ? {} : { target }),
    ...(actor_type === undefined ? {} : { actor_type }),
    ...(actor_id === undefined ? {} : { actor_id }),
    ...(request_id === undefined ? {} : { request_id }),
    ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
  };
}

/** Types of the events that the filter selects; undefined for all. */
function typesOf({ action, category, outcome }: AuditFilterQuery): readonly string[] | undefined {
  if (action === undefined && category === undefined && outcome === undefined) return undefined;
  const kind = action?.endsWith('.*') ? action.slice(0, -1) : undefined;
  const named = EVENT_DEFINITIONS.map(({ type }) => type).filter((type) => {
    const { action: name } = auditAction(type);
    return action === undefined || (kind ? name.startsWith(kind) : name === action);
  });
  if (named.length === 0 || (action !== undefined && !ACTION.test(action))) {
    const message = 'must be an action such as policy.updated, or all of a kind such as policy.*';
    throw validationFailed([{ field: 'action', message }]);
  }
  return named.filter((type) => {
    const derived = auditAction(type);
    return (
      (category === undefined || derived.category === category) &&
      (outcome === undefined || derived.outcome === outcome)
    );
  });
}

function targetOf({ target_type, target_id }: AuditFilterQuery): string | undefined {
  if (target_type === undefined && target_id === undefined) return undefined;
  if (target_type !== undefined && target_id !== undefined) return `${target_type}:${target_id}`;
  const field = target_type === undefined ? 'target_type' : 'target_id';
  throw validationFailed([{ field, message: 'must be given; a target has a type and an id' }]);
}
