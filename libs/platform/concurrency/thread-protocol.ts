/**
 * An error in the form that crosses threads. Cloning keeps name, message and stack of an error and
 * drops its own fields, which identify errors of engines (`errcode` of SQLite, `code` of Postgres).
 */
export interface Fault {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/** A request; `id` matches it with its answer. */
export interface Question<Request> {
  readonly id: number;
  readonly body: Request;
}

/** The id of messages without an answer; an error in them ends the thread. */
export const TOLD = 0;
/** The id of the thread's first answer, which reports the outcome of its open. */
export const OPENED = -1;

export type Answer =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly fault: Fault };

/**
 * A message of the thread. News is processed before the answers, and `fatal` after them: the thread
 * serves no more.
 */
export interface ThreadMessage<News = unknown> {
  readonly news?: News;
  readonly answers?: readonly Answer[];
  readonly fatal?: Fault;
}

/** Longer texts among an error's fields are for people, and may contain a whole statement. */
const MAX_FIELD_LENGTH = 1_000;

export function faultOf(error: unknown): Fault {
  const {
    name,
    message,
    stack = '',
    ...own
  } = error instanceof Error ? spread(error) : spread(new Error(String(error)));
  const fields: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(own)) {
    if (typeof value === 'number' || typeof value === 'boolean') fields[key] = value;
    else if (typeof value === 'string' && value.length <= MAX_FIELD_LENGTH) fields[key] = value;
  }
  return { name, message, stack, fields };
}

/** Returns an error like the thread's: same name, message, stack and fields. */
export function errorOfFault({ name, message, stack, fields }: Fault): Error {
  return Object.assign(new Error(message), fields, { name, stack });
}

/** Returns all fields of an error, also inherited and non-enumerable ones. */
function spread(
  error: Error,
): { name: string; message: string; stack?: string } & Record<string, unknown> {
  const { name, message, stack } = error;
  return { ...error, name, message, ...(stack === undefined ? {} : { stack }) };
}
