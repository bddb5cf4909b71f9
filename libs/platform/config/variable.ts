import type { Parser } from './parsers.js';

/**
 * An environment variable: its parser, its default as written in the environment, and its meaning.
 */
export interface Variable<T> {
  readonly parse: Parser<T>;
  /** Undefined: optional, without a value if unset. */
  readonly fallback: string | undefined;
  readonly meaning: string;
  /** The value is never shown in messages or by `doctor`. */
  readonly secret?: boolean;
}

/** Declares a variable with a default. */
export function variable<T>(parse: Parser<T>, fallback: string, meaning: string): Variable<T> {
  return { parse, fallback, meaning };
}

/** Declares a variable without a default. */
export function optional<T>(
  parse: Parser<T>,
  meaning: string,
  secret = false,
): Variable<T | undefined> {
  return { parse, fallback: undefined, meaning, secret };
}
