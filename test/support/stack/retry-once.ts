import { jest } from '@jest/globals';

/**
 * Set-up file of the journeys on servers. Several processes and five engines share the machine's
 * cores there, so a failed test is tried once more. Its first failure is printed.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
