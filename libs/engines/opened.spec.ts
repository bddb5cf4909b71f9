import { describe, expect, it } from '@jest/globals';

import { Opened } from './opened.js';

describe('Opened', () => {
  it('closes in reverse, and the others where one fails, and tells what failed first', async () => {
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

  it('closes at once what opens after it was closed', async () => {
    const opened = new Opened();
    await opened.close();
    let closed = false;
    opened.closing({ close: async () => void (closed = true) });
    await Promise.resolve();
    expect(closed).toBe(true);
  });
});
