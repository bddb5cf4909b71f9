/** The fields of an object without the value undefined. */
type DefinedFields<Fields> = {
  [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
};

/** Returns the fields that have a value. */
export function definedFields<Fields extends object>(fields: Fields): DefinedFields<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as DefinedFields<Fields>;
}
