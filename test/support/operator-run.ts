import type { OperatorRun } from '#apps/standalone/admin/operator/recorded-run';
import { uuidv7 } from '#platform';

/** A run of an operator's command, as its effects name it. */
export function operatorRun(command: string): OperatorRun {
  return {
    actor: { type: 'operator', id: 'tester', name: command },
    correlation_id: uuidv7(),
  };
}
