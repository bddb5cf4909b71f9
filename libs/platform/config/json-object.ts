import { InvalidValueError } from './parsers.js';

/** Returns the JSON object of a variable. @throws InvalidValueError with the rule. */
export function parseJsonObject(value: string, rule: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new InvalidValueError(rule);
  }
  return jsonObject(parsed, rule);
}

/** Returns a parsed value that is an object. @throws InvalidValueError with the rule. */
export function jsonObject(value: unknown, rule: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidValueError(rule);
  return value as Readonly<Record<string, unknown>>;
}
