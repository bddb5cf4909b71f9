import type { Parser } from './parsers.js';

/** One environment variable: how it is read, its default as it would be written, and what it means. */
export interface Variable<T> {
  readonly parse: Parser<T>;
  /** Undefined: optional, without a value when unset. */
  readonly fallback: string | undefined;
  readonly meaning: string;
  /** Never shown in messages or by `doctor`. */
  readonly secret?: boolean;
}

/** One with a default. */
export function variable<T>(parse: Parser<T>, fallback: string, meaning: string): Variable<T> {
  return { parse, fallback, meaning };
}

/** One that may be left unset. */
export function optional<T>(parse: Parser<T>, meaning: string, secret = false): Variable<T | undefined> {
  return { parse, fallback: undefined, meaning, secret };
}
