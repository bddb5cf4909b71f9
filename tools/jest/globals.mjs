// What tests import as `@jest/globals`. The runner defines these names before it loads a test.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } =
  globalThis;
