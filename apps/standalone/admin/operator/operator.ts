import { userInfo } from 'node:os';

/** Longest name of a user, characters. */
const MAX_USER_LENGTH = 64;
/** Longest reason, characters. */
const MAX_REASON_LENGTH = 500;

/** The person who runs a command, as the process of the command reports them. */
export interface Operator {
  /** Name of the user of the operating system. */
  readonly user: string;
  readonly reason: string | null;
}

/** Returns the operator of this process. @throws Error for a blank or long reason. */
export function thisOperator(reason?: string): Operator {
  return operatorOf({ user: osUser(), reason: reason ?? null });
}

/** Reads the operator from the parameters of a command. @throws Error if it is malformed. */
export function operatorOf(given: unknown): Operator {
  const { user, reason = null } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof user !== 'string' || user === '')
    throw new Error('The user who runs the command is missing');
  if (reason !== null && (typeof reason !== 'string' || reason.trim() === ''))
    throw new Error('Reason must not be blank');
  if (reason !== null && Array.from(reason).length > MAX_REASON_LENGTH)
    throw new Error(`Reason must have at most ${MAX_REASON_LENGTH} characters`);
  return { user: Array.from(user).slice(0, MAX_USER_LENGTH).join(''), reason };
}

/** Returns the user's name; its number if the system knows no name, as in containers. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
