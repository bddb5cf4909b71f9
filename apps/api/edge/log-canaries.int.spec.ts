import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createLogger } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { CutOffStore } from '#test/support/cut-off-store';

const CANARY = 'planted-canary-7f3a';
/** Everything a client can send that is nobody's to read in a log. */
const HEADERS = {
  cookie: `session=${CANARY}; other=${CANARY}`,
  'x-csrf-token': CANARY,
  'x-gitlab-token': CANARY,
  'x-hub-signature-256': `sha256=${CANARY}`,
  'proxy-authorization': `Basic ${CANARY}`,
  'user-agent': CANARY,
  referer: `https://example.com/?q=${CANARY}`,
};

describe('the log of a service that is asked for all kinds of things', () => {
  let api: ApiHarness;
  let cutOff: CutOffStore;
  const lines: string[] = [];
  beforeAll(async () => {
    const logger = createLogger('trace', { write: (line: string) => void lines.push(line) });
    api = await ApiHarness.start({ logger, between: (log) => (cutOff = new CutOffStore(log)) });
  });
  afterAll(async () => {
    cutOff.repair();
    await api.stop();
  });

  it('holds no credential, no query and no content, whether requests succeed, are refused or fail', async () => {
    const id = await api.createSource();
    const credentials = { token: CANARY };
    const requests: [string, string, unknown?][] = [
      ['GET', `/sources?name=${CANARY}`],
      ['GET', `/${CANARY}%zz?q=${CANARY}`],
      ['GET', `/sources/${id}/content?path=${CANARY}`],
      ['POST', '/search', { query: CANARY }],
      ['POST', '/search', { query: CANARY, [CANARY]: CANARY }],
      ['POST', '/search/rmh', { query: CANARY }],
      ['POST', '/search', `{"query": "${CANARY}`],
      [
        'POST',
        '/sources',
        { name: CANARY, source_type: 'repo', url: `https://u:${CANARY}@example.com/a.git` },
      ],
      [
        'POST',
        '/sources',
        { name: 'A', source_type: 'repo', url: `https://example.com/a.git`, credentials },
      ],
      ['POST', '/keys', { name: CANARY, scopes: [CANARY] }],
      ['POST', `/sources/${id}/hooks`],
      ['POST', `/sources/${id}/hooks/push`, { ref: CANARY }],
      ['PUT', '/policy', { name: CANARY }],
    ];
    const answers = new Set<number>();
    for (const broken of [false, true]) {
      if (broken) cutOff.cut('away');
      for (const [method, url, body] of requests) {
        for (const key of [api.keyA, CANARY, null]) {
          const both = key === null ? { ...HEADERS, 'x-api-key': CANARY } : HEADERS;
          answers.add((await api.call(method, url, body, { key, headers: both })).status);
        }
      }
    }
    expect([...answers]).toEqual(expect.arrayContaining([200, 400, 401, 404, 503]));
    const log = lines.join('');
    expect(log).toContain('"code":"unauthorized"');
    expect(log).toContain('request failed');
    expect(log.match(/.*planted-canary.*/g) ?? []).toEqual([]);
    for (const secret of [api.keyA, 'whsec_']) expect(log).not.toContain(secret);
  }, 60_000);
});
