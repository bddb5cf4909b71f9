const readOnlyFields = new WeakMap<object, ReadonlySet<string>>();

/**
 * Fields that the resource shows and that this body cannot change: sent, they are told so, not
 * called unknown.
 */
export function ReadOnlyFields(...fields: readonly string[]): ClassDecorator {
  return (body) => void readOnlyFields.set(body, new Set(fields));
}

/** Whether a field is one of a body's read-only fields. @param body the class of the body */
export function isReadOnlyField(body: object, field: string): boolean {
  return readOnlyFields.get(body)?.has(field) ?? false;
}
