import { describe, expect, it } from '@jest/globals';

import { tlsFailure } from '#platform';

describe('tlsFailure', () => {
  it.each([
    [
      'self-signed certificate in certificate chain',
      /not trusted \(self-signed certificate in certificate chain\).*NODE_EXTRA_CA_CERTS/,
    ],
    [
      '14 UNAVAILABLE: Last error: Error: unable to verify the first certificate; if',
      /not trusted \(unable to verify/,
    ],
    ["Hostname/IP does not match certificate's altnames: IP: 127.0.0.1", /not valid: Hostname/],
    ['certificate has expired', /not valid: certificate has expired/],
    [
      '40CD:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps',
      /does not speak TLS/,
    ],
  ])('explains %s', (message, explained) => {
    const wrapped = new Error('outer', {
      cause: new Error('middle', { cause: new Error(message) }),
    });
    expect(tlsFailure('Kafka', wrapped)?.message).toMatch(explained);
    expect(tlsFailure('Kafka', wrapped)?.cause).toBe(wrapped);
  });

  it.each<[string, unknown]>([
    ['a refused connection', new Error('connect ECONNREFUSED 127.0.0.1:1')],
    ['what is no error', 'certificate has expired'],
    ['nothing', null],
  ])('ignores %s', (_, error) => {
    expect(tlsFailure('Kafka', error)).toBeNull();
  });
});
