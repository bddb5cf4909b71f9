/**
 * The place that a hook's secret is sealed for: moved to another source or hook it does not open.
 */
export function hookSecretContext(sourceId: string, hookId: string): string {
  return `source-${sourceId}/hook/${hookId}/secret`;
}
