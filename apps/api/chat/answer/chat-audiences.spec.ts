import { describe, expect, it } from '@jest/globals';

import type { Audience } from '#contracts';
import { NO_LINKS } from '#search';

import { audiencesOf } from './chat-audiences.js';

const LINKS = { packages: new Set(['p1']), at: null };
const TENANT: Audience = { kind: 'tenant' };
const LINKED: Audience = { kind: 'linked' };
const P2: Audience = { kind: 'linked', package_id: 'p2' };

describe('what a question is looked up in', () => {
  it.each([
    ['what its tenant has and links', { include_global: true }, LINKS, [], [TENANT, LINKED]],
    ['its own alone where nothing is linked', { include_global: true }, NO_LINKS, [], [TENANT]],
    ['its own alone where that is asked for', { include_global: false }, LINKS, [], [TENANT]],
    ['packages that it mentions', { include_global: true }, LINKS, ['p2'], [TENANT, LINKED, P2]],
    [
      'packages that it mentions, and none that are linked',
      { include_global: false },
      LINKS,
      ['p2'],
      [TENANT, P2],
    ],
    [
      'the service’s documents and nothing else',
      { include_global: true, scope: 'service_docs' as const },
      LINKS,
      ['p2'],
      [{ kind: 'system' } as const],
    ],
  ])('is %s', (_, request, links, mentioned, expected) => {
    expect(audiencesOf(request, links, mentioned)).toEqual(expected);
  });
});
