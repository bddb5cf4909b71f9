const readOnlyFields = new WeakMap<object, ReadonlySet<string>>();

/**
 * Marks fields that the resource shows and that this body cannot change. A request that sends one
 * gets an error that says so, not one about an unknown field.
 */
export function ReadOnlyFields(...fields: readonly string[]): ClassDecorator {
  return (body) => void readOnlyFields.set(body, new Set(fields));
}

/**
 * Returns whether a field is one of a body's read-only fields.
 *
 * @param body the class of the body
 */
export function isReadOnlyField(body: object, field: string): boolean {
  return readOnlyFields.get(body)?.has(field) ?? false;
}
