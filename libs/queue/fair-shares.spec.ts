import { describe, expect, it } from '@jest/globals';

import { tenantOf } from './fair-shares.js';

describe('fair shares of messages', () => {
  it('use the tenant of the message body', () => {
    expect([{ tenant_id: 't' }, { tenant_id: 1 }, null, 'text'].map(tenantOf)).toEqual([
      't',
      '',
      '',
      '',
    ]);
  });
});
