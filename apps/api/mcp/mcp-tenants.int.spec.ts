import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { toolsFor } from '#agent-tools';
import { KEY_SCOPES } from '#contracts';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';
import { callTool } from '#test/support/api/tool-calls';
import { MemoryPackages } from '#test/support/memory-packages';

const CANARY = 'canaryofthesecondtenant';

/** Ids of the second tenant. */
interface Theirs {
  readonly source: string;
  readonly syncJob: string;
  readonly roverJob: string;
  readonly receipt: string;
}
type InputOf = (theirs: Theirs) => object;

/** Calls of the first tenant, of each tool, that name what the second tenant has. */
const CALLS: Readonly<Record<string, readonly InputOf[]>> = {
  search: [() => ({ query: CANARY }), ({ source }) => ({ query: CANARY, sources: [source] })],
  search_code: [
    () => ({ pattern: CANARY }),
    ({ source }) => ({ pattern: CANARY, sources: [source] }),
    () => ({ pattern: CANARY, package: 'npm:../x' }),
  ],
  read_file: [
    ({ source }) => ({ source, path: 'plan.py' }),
    () => ({ source: 'Theirs', path: 'plan.py' }),
    () => ({ package: 'npm:../x', path: 'plan.py' }),
  ],
  list_files: [
    ({ source }) => ({ source }),
    () => ({ source: 'Theirs' }),
    () => ({ package: 'npm:../x' }),
  ],
  find_definitions: [() => ({ name: CANARY }), ({ source }) => ({ source, path: 'plan.py' })],
  find_references: [
    () => ({ name: CANARY }),
    ({ source }) => ({ source, path: 'plan.py', line: 1, column: 5 }),
  ],
  list_sources: [() => ({})],
  search_package: [() => ({ package: '../x', ecosystem: 'npm', query: CANARY })],
  research: [({ roverJob }) => ({ job_id: roverJob })],
  add_source: [
    () => ({ name: 'Theirs', source_type: 'repo', url: 'https://example.com/theirs.git' }),
  ],
  sync_source: [({ source }) => ({ source }), ({ syncJob }) => ({ job_id: syncJob })],
  add_package: [() => ({ name: '../x', ecosystem: 'npm' })],
  audit_events: [() => ({ max_tokens: 9_000 }), ({ source }) => ({ target_id: source })],
  get_receipt: [({ receipt }) => ({ receipt_id: receipt })],
  replay: [({ receipt }) => ({ receipt_id: receipt })],
};

describe('the tools of two tenants', () => {
  let api: ApiHarness;
  let theirs: Theirs;

  beforeAll(async () => {
    api = await ApiHarness.start({ packageRegistry: new MemoryPackages() });
    await publish(api, [{ path: 'a.py', content: 'def ours(): pass' }], {
      tenant: api.tenantA,
      name: 'Ours',
    });
    const source = await publish(
      api,
      [{ path: 'plan.py', content: `def ${CANARY}(): pass`, defs: [CANARY] }],
      { tenant: api.tenantB, name: 'Theirs' },
    );
    const call = async (method: string, path: string, body?: object) =>
      (await api.call<Record<string, string>>(method, path, body, { key: api.keyB })).body;
    const found = await callTool(api, api.tenantB, 'search', { query: CANARY });
    expect(found.text).toContain(CANARY);
    theirs = {
      source,
      syncJob: (await call('POST', `/sources/${source}/sync`))['job_id'] ?? '',
      roverJob: (await call('POST', '/rover/jobs', { question: CANARY }))['id'] ?? '',
      receipt: /Receipt ([0-9a-f-]{36})\./.exec(found.text)?.[1] ?? '',
    };
    expect(Object.values<string>({ ...theirs }).every((id) => id.length === 36)).toBe(true);
  });
  afterAll(() => api.stop());

  it('are all called here', () => {
    const names = toolsFor(['default', 'manage', 'audit'], KEY_SCOPES).map(({ name }) => name);
    expect(Object.keys(CALLS)).toEqual(names);
  });

  it.each(
    Object.entries(CALLS).flatMap(([tool, inputs]) =>
      inputs.flatMap((input, at) => [
        [tool, at, false, input] as const,
        [tool, at, true, input] as const,
      ]),
    ),
  )(
    'show nothing of the other tenant: %s, call %i, structured %s',
    async (tool, _at, structured, input) => {
      const given = input(theirs);
      const answer = await callTool(api, api.tenantA, tool, given, structured);
      const shown = `${answer.text}${answer.structured}`;
      const secrets = [CANARY, 'plan.py', ...Object.values<string>({ ...theirs })];
      const known = JSON.stringify(given);
      expect(secrets.filter((each) => shown.includes(each) && !known.includes(each))).toEqual([]);
      expect(shown).not.toContain(`def ${CANARY}`);
      expect(answer.status).toBe(200);
    },
  );

  it('end no job of the other tenant', async () => {
    const { body } = await api.call<{ status: string }>(
      'GET',
      `/jobs/${theirs.syncJob}`,
      undefined,
      { key: api.keyB },
    );
    expect(body.status).toBe('pending');
  });
});
