import { describe, it } from '@jest/globals';

/**
 * A group of tests that need what an environment variable names, such as the address of a server:
 * `body` gets its value. Where it is unset, empty or `0`, the group says as a todo when it runs.
 */
export function describeWhen(variable: string, title: string, body: (value: string) => void): void {
  const value = process.env[variable];
  describe(title, () => {
    if (value && value !== '0') body(value);
    else it.todo(`runs when ${variable} is set`);
  });
}
