import { describe, expect, it } from '@jest/globals';

import { Resources } from './resources.js';

describe('Resources', () => {
  it('closes in reverse order, also after a failure, and throws the first error', async () => {
    const resources = new Resources();
    const closed: string[] = [];
    resources.closing({ close: async () => void closed.push('first') });
    resources.add(() => {
      throw new Error('broken');
    });
    resources.stopping({ stop: async () => void closed.push('last') });
    await expect(resources.close()).rejects.toThrow('broken');
    expect(closed).toEqual(['last', 'first']);
    await resources.close();
    expect(closed).toHaveLength(2);
  });

  it('closes at once what opens after the close', async () => {
    const resources = new Resources();
    await resources.close();
    let closed = false;
    resources.closing({ close: async () => void (closed = true) });
    await Promise.resolve();
    expect(closed).toBe(true);
  });
});
