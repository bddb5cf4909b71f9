import { describe, expect, it } from '@jest/globals';

import { DESTROYED_SEALER, newDataKey, type Sealed, sealerOf } from '#platform';

describe('a data key', () => {
  it('opens what it sealed, only for its tenant and place', async () => {
    const key = newDataKey();
    const sealed = await sealerOf(key).seal('t', 'here', 'words');
    expect(await sealerOf(key).open('t', 'here', sealed)).toBe('words');
    await expect(sealerOf(key).open('t', 'there', sealed)).rejects.toThrow();
    await expect(sealerOf(key).open('u', 'here', sealed)).rejects.toThrow();
    await expect(sealerOf(newDataKey()).open('t', 'here', sealed)).rejects.toThrow();
  });

  it('that is destroyed opens nothing and seals nothing', async () => {
    expect(await DESTROYED_SEALER.open('t', 'here', 'c2VhbGVk' as Sealed)).toBeNull();
    await expect(DESTROYED_SEALER.seal('t', 'here', 'words')).rejects.toMatchObject({
      code: 'key_destroyed',
    });
  });
});
