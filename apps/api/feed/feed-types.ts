import { eventDefinition, validationFailed } from '#contracts';

/**
 * Returns the event types of a comma-separated list, each once; undefined for all types.
 * @throws FootnoteError `validation_failed` for an unknown type.
 */
export function feedTypes(list: string | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined;
  const types = [...new Set(list.split(','))];
  if (!types.every((type) => eventDefinition(type))) {
    const message = 'must be event types separated by commas, such as PolicyUpdated';
    throw validationFailed([{ field: 'types', message }]);
  }
  return types;
}
