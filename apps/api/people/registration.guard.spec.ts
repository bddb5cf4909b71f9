import { describe, expect, it } from '@jest/globals';

import { isFootnoteError } from '#contracts';
import { loadConfig } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { RegistrationGuard } from './registration.guard.js';

const SERVERS = {
  EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false',
  DATABASE_URL: 'postgres://footnote:x@127.0.0.1/footnote',
  OPENSEARCH_URL: 'http://127.0.0.1:9200',
  KAFKA_BROKERS: '127.0.0.1:9092',
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_ACCESS_KEY_ID: 'a',
  S3_SECRET_ACCESS_KEY: 'b',
  MASTER_KEY: '0f'.repeat(32),
};

describe('registration', () => {
  it.each([
    ['is there where an engine is embedded', {}, true],
    ['is not where all engines are servers', SERVERS, false],
    ['is there where the operator says so', { ...SERVERS, ALLOW_REGISTRATION: 'true' }, true],
    ['is not where the operator says so', { ALLOW_REGISTRATION: 'false' }, false],
  ])('%s', (_, environment, there) => {
    const folder = tempDir();
    const guard = new RegistrationGuard(loadConfig(environment, folder.path));
    folder.remove();
    let answer: unknown;
    try {
      answer = guard.canActivate();
    } catch (error) {
      answer = isFootnoteError(error, 'not_found') ? false : error;
    }
    expect(answer).toBe(there);
  });
});
