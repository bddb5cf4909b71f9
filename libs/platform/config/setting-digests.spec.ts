import { describe, expect, it } from '@jest/globals';

import { settingDigests } from './setting-digests.js';
import type { Variable } from './variable.js';
import { VARIABLES } from './variables.js';

const variables = Object.entries<Variable<unknown>>(VARIABLES);

describe('settingDigests', () => {
  it('has a digest of each setting but secrets, which have their names alone', () => {
    const given = Object.fromEntries(variables.map(([name]) => [name, `value of ${name}`]));
    const digests = settingDigests(given);
    expect(Object.keys(digests).sort()).toEqual(variables.map(([name]) => name).sort());
    for (const [name, { secret }] of variables) {
      if (secret) expect([name, digests[name]]).toEqual([name, null]);
      else expect(digests[name]).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('treats each variable as secret whose name says so', () => {
    const named = variables.filter(([name]) =>
      /(KEY|KEYS|SECRET|SECRETS|PASSWORD|TOKEN)$/.test(name),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(([, { secret }]) => !secret).map(([name]) => name)).toEqual([]);
  });
});
