import { describe, expect, it } from '@jest/globals';

import { verifyDelivery } from './push-signature.js';

const NOW = new Date('2026-01-01T00:00:00.000Z');

/**
 * The values of GitHub's page on validating deliveries. Gitea and Forgejo send the same digest
 * without its prefix.
 */
const SECRET = "It's a Secret to Everybody";
const BODY = Buffer.from('Hello, World!');
const DIGEST = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

/** The test vector of the Standard Webhooks specification, which GitLab's signing tokens follow. */
const STANDARD = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: Buffer.from('{"test": 2432232314}'),
  at: new Date(1_614_265_330_000),
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
};

describe('the signature of a delivery', () => {
  it.each([
    ['github', { 'x-hub-signature-256': `sha256=${DIGEST}` }],
    ['gitea', { 'x-gitea-signature': DIGEST }],
    ['gitea', { 'x-forgejo-signature': DIGEST }],
    ['gitea', { 'x-gitea-signature': DIGEST, 'x-hub-signature-256': `sha256=${DIGEST}` }],
    ['gitlab', { 'x-gitlab-token': SECRET }],
  ])('of %s is taken: %j', (provider, headers) => {
    expect(verifyDelivery(headers, BODY, SECRET, NOW)).toMatchObject({ provider });
    expect(verifyDelivery(headers, BODY, `${SECRET}!`, NOW)).toBeNull();
  });

  it.each([
    {},
    { 'x-hub-signature-256': DIGEST },
    { 'x-hub-signature-256': `sha256=${DIGEST.slice(0, -1)}` },
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature': `sha1=${DIGEST}` },
    { 'x-gitea-signature': `sha256=${DIGEST}` },
    { 'x-gitlab-token': '' },
    { 'x-forgejo-signature': DIGEST.replace('7', '8'), 'x-gitea-signature': DIGEST },
    { 'x-hub-signature-256': 'sha256=', 'x-gitlab-token': SECRET },
  ])('is refused: %j', (headers) => {
    expect(verifyDelivery(headers, BODY, SECRET, NOW)).toBeNull();
  });

  it('is of the very bytes', () => {
    const headers = { 'x-hub-signature-256': `sha256=${DIGEST}` };
    expect(verifyDelivery(headers, Buffer.from('Hello, World! '), SECRET, NOW)).toBeNull();
  });

  it("is GitLab's of a signing token: id, time and body, one of several", () => {
    const { secret, body, at, headers } = STANDARD;
    const verified = { provider: 'gitlab', deliveryId: 'id:msg_p5jXN8AQM9LWM0D4loKWxJek' };
    expect(verifyDelivery(headers, body, secret, at)).toEqual(verified);
    const both = {
      ...headers,
      'webhook-signature': `v1,AAAA v2,BBBB ${headers['webhook-signature']}`,
    };
    expect(verifyDelivery(both, body, secret, at)).toEqual(verified);
    for (const changed of [
      { 'webhook-id': 'msg_other' },
      { 'webhook-timestamp': '1614265331' },
      { 'webhook-id': '' },
    ]) {
      expect(verifyDelivery({ ...headers, ...changed }, body, secret, at)).toBeNull();
    }
  });

  it('is too old, or of a time to come, after five minutes where the time is signed', () => {
    const { secret, body, at, headers } = STANDARD;
    const after = (ms: number) =>
      verifyDelivery(headers, body, secret, new Date(at.getTime() + ms));
    expect([after(300_000), after(-300_000)]).not.toContain(null);
    expect([after(300_001), after(-300_001)]).toEqual([null, null]);
  });

  it('recognizes a repetition by what is signed, not by an id that anybody could change', () => {
    const of = (delivery: string, body = BODY) =>
      verifyDelivery(
        { 'x-gitlab-token': SECRET, 'x-gitlab-event-uuid': delivery },
        body,
        SECRET,
        NOW,
      )?.deliveryId;
    expect([of('a'), of('b')]).toEqual(['id:a', 'id:b']);
    const github = (id: string) =>
      verifyDelivery(
        { 'x-hub-signature-256': `sha256=${DIGEST}`, 'x-github-delivery': id },
        BODY,
        SECRET,
        NOW,
      );
    expect(github('b')).toEqual(github('a'));
  });
});
