/**
 * An error as it crosses threads. Cloning keeps name, message and stack of an error and drops its
 * own fields, by which engines tell their errors apart (`errcode` of SQLite, `code` of Postgres).
 */
export interface Fault {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/** A request; `id` pairs it with its answer. */
export interface Question<Request> {
  readonly id: number;
  readonly body: Request;
}

/**
 * The id of what is told and not asked: it gets no answer, and a thread that cannot take it in dies
 * of it.
 */
export const TOLD = 0;
/** The id of the thread's first answer, which says whether it could open what it serves. */
export const OPENED = -1;

export type Answer =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly fault: Fault };

/**
 * What a thread sends. News is taken in before the answers, and `fatal` after them: the thread
 * serves no more.
 */
export interface ThreadMessage<News = unknown> {
  readonly news?: News;
  readonly answers?: readonly Answer[];
  readonly fatal?: Fault;
}

/** Longer texts among an error's fields are for people, and may hold a whole statement. */
const LONGEST_FIELD = 1_000;

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
    else if (typeof value === 'string' && value.length <= LONGEST_FIELD) fields[key] = value;
  }
  return { name, message, stack, fields };
}

/** An error like the one that the thread met: its name, message, stack and fields. */
export function errorOfFault({ name, message, stack, fields }: Fault): Error {
  return Object.assign(new Error(message), fields, { name, stack });
}

/** With what an error inherits or hides from enumeration. */
function spread(
  error: Error,
): { name: string; message: string; stack?: string } & Record<string, unknown> {
  const { name, message, stack } = error;
  return { ...error, name, message, ...(stack === undefined ? {} : { stack }) };
}
