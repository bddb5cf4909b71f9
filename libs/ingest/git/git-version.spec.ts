import { describe, expect, it } from '@jest/globals';

import { judgeGitVersion } from './git-version.js';

describe('the version of git', () => {
  it.each(['2.39.5', '2.43.7', '2.45.4', '2.50.1', '2.51.0', '3.0.0', '2.50.1 (Apple Git-155)'])(
    '%s may be used',
    (text) => {
      expect(judgeGitVersion(`git version ${text}`)).toMatchObject({ problem: null });
    },
  );

  it.each(['1.9.1', '2.25.1', '2.39.4', '2.40.9', '2.45.3', '2.50.0', '2.50'])(
    '%s may not',
    (text) => {
      expect(judgeGitVersion(`git version ${text}`).problem).toContain('known holes');
    },
  );

  it('that cannot be parsed is a problem', () => {
    expect(judgeGitVersion('rubbish')).toEqual({ version: null, problem: 'git says "rubbish"' });
  });
});
