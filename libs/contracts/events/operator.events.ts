import { z } from 'zod';

import { id, sealedText } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/** Name of a command, for example `create-tenant`. */
const command = z.string().min(1).max(64);

/**
 * Stream `operator-<run_id>`, appended before a command of the operator does anything. It is in the
 * trail of the operator, and in the trail of the tenant that the command names. The actor is the
 * user of the operating system. The reason is sealed with the key of the trail's tenant.
 */
export const operatorCommandStarted = defineEvent(
  'OperatorCommandStarted',
  1,
  z.object({
    run_id: id,
    command,
    /** Null if the command names no tenant, or one that does not exist. */
    tenant_id: id.nullable(),
    reason: sealedText.nullable(),
  }),
);

/** The command ended. This and the failure are in the trail of the operator only. */
export const operatorCommandCompleted = defineEvent(
  'OperatorCommandCompleted',
  1,
  z.object({ run_id: id, command }),
);

/** The command failed; some of its effects may remain. */
export const operatorCommandFailed = defineEvent(
  'OperatorCommandFailed',
  1,
  z.object({ run_id: id, command }),
);

export const operatorEvents = [
  operatorCommandStarted,
  operatorCommandCompleted,
  operatorCommandFailed,
] as const;
export type OperatorEvent = EventOf<(typeof operatorEvents)[number]>;
