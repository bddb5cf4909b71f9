import type { z } from 'zod';

/** The wire form of an event's data: a JSON object. */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * Lifts the data of one schema version to the next. Pure, total on data that was valid for its
 * version.
 */
export type Upcaster = (data: JsonObject) => JsonObject;

/**
 * A declared event: its stored name, its current schema version, its schema and how older versions
 * become it.
 */
export interface EventDefinition<Type extends string, Data> {
  readonly type: Type;
  readonly version: number;
  readonly schema: z.ZodType<Data>;
  /**
   * `from[1]` lifts version 1 to version 2, and so on; there is one for every version below the
   * current.
   */
  readonly from: Readonly<Record<number, Upcaster>>;
  /** `past[1]` is the schema of data that version 1 wrote, and so on. */
  readonly past: Readonly<Record<number, z.ZodType>>;
}

/** The in-code shape of an event of this definition. */
export type EventOf<D> =
  D extends EventDefinition<infer Type, infer Data>
    ? { readonly type: Type; readonly data: Data }
    : never;

/**
 * Declares an event. The schema is the contract and the TypeScript type is inferred from it.
 * @throws Error when an upcaster is missing for a version below the current one.
 */
export function defineEvent<const Type extends string, Schema extends z.ZodType>(
  type: Type,
  version: number,
  schema: Schema,
  options: {
    readonly from?: Readonly<Record<number, Upcaster>>;
    readonly past?: Readonly<Record<number, z.ZodType>>;
  } = {},
): EventDefinition<Type, z.output<Schema>> {
  const from = options.from ?? {};
  for (let older = 1; older < version; older += 1) {
    if (!from[older])
      throw new Error(`${type} is at version ${version} and has no upcaster from version ${older}`);
  }
  return Object.freeze({
    type,
    version,
    schema: schema as unknown as z.ZodType<z.output<Schema>>,
    from: Object.freeze({ ...from }),
    past: Object.freeze({ ...options.past }),
  });
}
