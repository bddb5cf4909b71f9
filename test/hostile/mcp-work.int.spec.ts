import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type CallOutcome, callTool } from '#test/support/api/tool-calls';
import { type HostileDocument, hostileDocuments } from '#test/support/hostile-documents';
import { ROOMY } from '#test/support/limits';
import { RoverService } from '#test/support/research/rover-service';
import { WebSite } from '#test/support/web-site';

import { HIDDEN, outsideFences } from './shown-text.js';

const STATEMENT = 'is cleared by its owner';
const SECRET = 'planofthesecondtenant';
/** Calls at a time that wait for a job. */
const AT_ONCE = 9;

describe('the tools of agents that fetch and change', () => {
  const rover = new RoverService();
  let named: WebSite;
  let git: string;
  let documents: readonly HostileDocument[];

  beforeAll(async () => {
    named = await WebSite.start();
    await rover.start(ROOMY);
    git = rover.service.engines.config.github.gitUrl;
    const id = rover.service.tenants[1]?.tenantId ?? '';
    const url = named.url('');
    documents = hostileDocuments({ url, otherTenant: { id, path: 'secrets/plan.md' } });
    const files = Object.fromEntries(documents.map(({ path, content }) => [path, content]));
    rover.publish('hostile/notes', files);
    const description = documents.map(({ content }) => content).join(' ');
    rover.service.packages.publish('npm', 'hostile', '1.0.0', { files, description });
    const theirs = { name: 'Theirs', source_type: 'repo', url: `https://example.com/${SECRET}` };
    await rover.service.call('POST', '/sources', theirs, { tenant: 1 });
  });
  afterAll(async () => {
    await rover.stop();
    await named.stop();
  });

  function call(tool: string, input: object): Promise<CallOutcome> {
    const [app] = rover.service.apis;
    if (!app) throw new Error('There is no API');
    return callTool({ app }, rover.service.tenants[0]?.tenantId ?? '', tool, input);
  }

  /** Calls `each` with the documents, some at a time, and returns what is wrong in all. */
  async function inGroups(each: (document: HostileDocument) => Promise<string[]>) {
    const problems: string[] = [];
    for (let at = 0; at < documents.length; at += AT_ONCE)
      problems.push(...(await Promise.all(documents.slice(at, at + AT_ONCE).map(each))).flat());
    return problems;
  }

  /** Returns what is wrong with a result that hostile text had a part in. */
  function problemsOf({ path }: HostileDocument, { text, status, errorCode }: CallOutcome) {
    const problems: string[] = [];
    if (status !== 200 || errorCode !== undefined) problems.push(`${status} ${errorCode}`);
    if (text === '' || text.includes('internal_error')) problems.push('a failure');
    if (HIDDEN.test(text)) problems.push('hidden characters');
    if (text.includes(SECRET)) problems.push('text of another tenant');
    return problems.map((problem) => `${path}: ${problem}: ${text}`);
  }

  it('search_package shows hostile text as data', async () => {
    const problems: string[] = [];
    for (const document of documents) {
      const query = `Who clears the ${document.word}?`;
      const input = { package: 'hostile', ecosystem: 'npm', query, max_tokens: 9_000 };
      const outcome = await call('search_package', input);
      problems.push(...problemsOf(document, outcome));
      if (outcome.isError || !outcome.text.includes(STATEMENT))
        problems.push(`${document.path}: not shown: ${outcome.text}`);
      if (outsideFences(outcome.text).includes(STATEMENT))
        problems.push(`${document.path}: text outside a fence`);
    }
    expect(problems).toEqual([]);
  });

  it('research answers from hostile text without hidden characters', async () => {
    const problems = await inGroups(async (document) => {
      const question = `Who clears the ${document.word}?`;
      const outcome = await call('research', { question, repos: ['hostile/notes'] });
      const isAnswered = !outcome.isError && outcome.text.startsWith('Confidence ');
      return [
        ...problemsOf(document, outcome),
        ...(isAnswered ? [] : [`${document.path}: no answer: ${outcome.text}`]),
      ];
    });
    expect(problems).toEqual([]);
  });

  it('add_source and sync_source show hostile names in one line', async () => {
    const problems = await inGroups(async (document) => {
      const name = document.content.slice(0, 200).trim();
      const url = `${git}/hostile/${document.word}`;
      const added = await call('add_source', { name, source_type: 'repo', url });
      const synced = await call('sync_source', { source: name });
      const isShort = added.isError || added.text.split('\n').length === 2;
      return [
        ...problemsOf(document, added),
        ...problemsOf(document, synced),
        ...(isShort ? [] : [`${document.path}: more lines: ${added.text}`]),
      ];
    });
    expect(problems).toEqual([]);
  });

  it('add_package shows hostile names as data', async () => {
    const problems: string[] = [];
    for (const document of documents) {
      const name = document.content.slice(0, 300);
      problems.push(...problemsOf(document, await call('add_package', { name, ecosystem: 'npm' })));
    }
    const { text } = await call('add_package', { name: 'hostile', ecosystem: 'npm' });
    expect([problems, text]).toEqual([[], expect.stringMatching(/^Added npm hostile 1\.0\.0 \(/)]);
  });

  it('request no address that hostile text names', () => {
    expect(named.seen).toEqual([]);
  });
});
