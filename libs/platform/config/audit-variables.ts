import { integer } from './parsers.js';
import { variable } from './variable.js';

/** Variables of signed checkpoints of the audit trail. */
export const AUDIT_VARIABLES = {
  AUDIT_CHECKPOINT_MINUTES: variable(
    integer(0, 10_080),
    '60',
    "Minutes between two signed checkpoints of a tenant's audit trail, if it grew; 0 signs only on request. See docs/audit.md.",
  ),
} as const;
