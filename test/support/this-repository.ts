import { execFileSync } from 'node:child_process';

import { TestRepository } from './git-repository.js';

/**
 * The committed state of the repository the tests run in, as a repository of its own on branch
 * `main`.
 */
export function thisRepository(path: string): TestRepository {
  const copy = TestRepository.create(path);
  copy.git('config', 'receive.shallowUpdate', 'true');
  copy.git('config', 'receive.denyCurrentBranch', 'ignore');
  execFileSync('git', ['push', '--quiet', path, 'HEAD:refs/heads/main'], { stdio: 'pipe' });
  return copy;
}
