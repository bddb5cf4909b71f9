import { integer, witnesses } from './parsers.js';
import { optional, variable } from './variable.js';

/** Variables of signed checkpoints of the audit trail. */
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
} as const;
