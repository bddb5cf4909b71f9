import { describe, it } from '@jest/globals';

/**
 * A group of tests that need what an environment variable names, such as the address of a server:
 * `body` gets its value. Where it is unset, empty or `0`, the group says as a todo when it runs.
 */
export function describeWhen(variable: string, title: string, body: (value: string) => void): void {
  const value = process.env[variable];
  describeWith(value === '0' ? undefined : value, title, `runs when ${variable} is set`, body);
}

/** A group of tests that need `value`. Where it is unset or empty, a todo has the `reason`. */
export function describeWith(
  value: string | undefined,
  title: string,
  reason: string,
  body: (value: string) => void,
): void {
  describe(title, () => {
    if (value) body(value);
    else it.todo(reason);
  });
}
