import { describe, expect, it } from '@jest/globals';

import { signWebhook } from './webhook-signature.js';

describe('the signature of a webhook', () => {
  it('matches the reference vector of Standard Webhooks', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const head = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330' };
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    expect(signWebhook(secret, head, '{"test": 2432232314}')).toBe(signature);
    expect(signWebhook(secret, head, Buffer.from('{"test": 2432232314}'))).toBe(signature);
    expect(signWebhook(secret, { ...head, id: 'other' }, '{"test": 2432232314}')).not.toBe(
      signature,
    );
  });
});
