import { SCIP_NAME, validationFailed } from '#contracts';

/** @throws FootnoteError `validation_failed` if no SCIP index can have the name. */
export function requireScipName(name: string): void {
  if (SCIP_NAME.test(name)) return;
  const message = 'must have only letters, digits and the characters . _ / -';
  throw validationFailed([{ field: 'name', message }]);
}
