import { getMetadataStorage } from 'class-validator';

/** Names of the fields that a body or a query string may have, by its class. */
export function fieldsOf(type: object): readonly string[] {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(
    type as NewableFunction,
    '',
    false,
    false,
  );
  return [...new Set(metadata.map(({ propertyName }) => propertyName))];
}
