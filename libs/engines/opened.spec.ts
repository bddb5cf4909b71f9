import { describe, expect, it } from '@jest/globals';

import { Opened } from './opened.js';

describe('Resources', () => {
  it('closes in reverse order, also after a failure, and throws the first error', async () => {
    const opened = new Opened();
    const closed: string[] = [];
    opened.closing({ close: async () => void closed.push('first') });
    opened.add(() => {
      throw new Error('broken');
    });
    opened.stopping({ stop: async () => void closed.push('last') });
    await expect(opened.close()).rejects.toThrow('broken');
    expect(closed).toEqual(['last', 'first']);
    await opened.close();
    expect(closed).toHaveLength(2);
  });

  it('closes at once what opens after the close', async () => {
    const opened = new Opened();
    await opened.close();
    let closed = false;
    opened.closing({ close: async () => void (closed = true) });
    await Promise.resolve();
    expect(closed).toBe(true);
  });
});
