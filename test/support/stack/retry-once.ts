import { jest } from '@jest/globals';

/**
 * Set-up file of the journeys on servers: several processes and five engines share the machine's
 * cores there, so a test that fails is tried once more, and its first failure is printed.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
