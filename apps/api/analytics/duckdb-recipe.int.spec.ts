import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiHarness } from '#test/support/api/api-harness';
import { publish, uniqueWord } from '#test/support/api/publish';
import { PROJECT_ROOT } from '#test/support/project-root';
import { tempDir } from '#test/support/temp-dir';

/** Runs each statement of standard input, and prints the rows of each as one JSON array. */
const SCRIPT = `
import duckdb, json, sys
database = duckdb.connect()
for statement in duckdb.extract_statements(sys.stdin.read()):
    rows = database.execute(statement).fetchall()
    print(json.dumps(rows, default=str))
`;
const python = (script: string, folder: string, input = '') =>
  spawnSync('python3', ['-c', script], { cwd: folder, input, encoding: 'utf8', timeout: 120_000 });
const hasDuckDb = python('import duckdb', PROJECT_ROOT).status === 0;

(hasDuckDb ? describe : describe.skip)('the DuckDB recipe of docs/analytics.md', () => {
  const folder = tempDir();
  let api: ApiHarness;
  let tables: readonly (readonly (readonly unknown[])[])[];

  beforeAll(async () => {
    api = await ApiHarness.start();
    const word = uniqueWord();
    await publish(api, [{ path: 'a.ts', content: `export const ${word} = 1;` }], {
      tenant: api.tenantA,
    });
    await api.call('PUT', '/policy', { staleness_budget_seconds: 3_600 });
    await api.call('POST', '/search', { query: word });
    await api.call('POST', '/search', { query: 'zzzzunknownzzzz' });
    await api.call('PUT', '/policy', { min_evidence_count: 3 }, { key: api.keyB });
    const { status, text } = await api.call('GET', '/audit/export');
    expect(status).toBe(200);
    writeFileSync(join(folder.path, 'trail.ndjson'), text);
    const { status: code, stdout, stderr } = python(SCRIPT, folder.path, recipe());
    expect([code, stderr]).toEqual([0, '']);
    tables = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown[][]);
  });
  afterAll(async () => {
    await api.stop();
    folder.remove();
  });

  it('counts acts per actor and action', () => {
    const [, acts = []] = tables;
    const of = (name: string) => acts.filter(([, , action]) => action === name);
    expect(of('policy.updated')).toEqual([['api_key', expect.any(String), 'policy.updated', 1]]);
    expect(of('quota.consumed').map(([type, , , count]) => [type, count])).toEqual([
      ['api_key', 2],
    ]);
  });

  it('lists changed fields of the own tenant with their authors', () => {
    const [, , changes = []] = tables;
    const budgets = changes.filter(([, , field]) => field === 'staleness_budget_seconds');
    expect(budgets.map((row) => row.slice(1))).toEqual([
      [expect.any(String), 'staleness_budget_seconds', '2592000', '3600'],
    ]);
    expect(changes.map(([, , field]) => field)).not.toContain('min_evidence_count');
  });

  it('counts searches without evidence per day', () => {
    const [, , , days = []] = tables;
    const sum = (at: number) => days.reduce((total, row) => total + Number(row[at]), 0);
    expect([sum(1), sum(2)]).toEqual([2, 1]);
    expect(tables).toHaveLength(4);
  });
});

/** Returns all SQL of the page. */
function recipe(): string {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/analytics.md'), 'utf8');
  return [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql).join('\n');
}
