import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import type { IssuedKeyView } from '#contracts/http/index';
import { ApiClient } from '#test/support/api-client';
import { CHROMIUM_PATH, startChromium } from '#test/support/browser/chromium';
import { accessProblems } from '#test/support/browser/page-problems';
import { TEST_PLANS, WebWorld } from '#test/support/browser/web-world';
import { describeWith } from '#test/support/describe-when';
import { TestRepository } from '#test/support/git-repository';

const STATE_TIMEOUT_MS = 300_000;

/** Lines that the page shows of one code search, and more. */
const SHOWN_LINES = 100;
const MORE_LINES = 120;
/** Conversations on one page of their list. */
const SHOWN_CONVERSATIONS = 20;

describeWith(CHROMIUM_PATH, 'states of the page', 'runs where Chromium is installed', (path) => {
  let world: WebWorld;
  let browser: Browser;
  let owner: Page;
  let client: ApiClient;
  const access: string[] = [];

  beforeAll(async () => {
    world = await WebWorld.start({ QUOTA_PLANS: TEST_PLANS });
    client = new ApiClient(world.service.url, world.key);
    browser = await startChromium(path);
    owner = await world.enter(browser, 'owner');
  }, STATE_TIMEOUT_MS);

  afterAll(async () => {
    await browser?.close();
    await world?.dispose();
  }, STATE_TIMEOUT_MS);

  const look = async (name: string) => access.push(...(await accessProblems(owner, name)));
  const open = (place: string) => owner.goto(world.address(place));
  const alert = () => owner.getByRole('alert').first();
  const search = async (query: string) => {
    await owner.getByLabel('Query').fill(query);
    await owner.keyboard.press('Enter');
  };

  it(
    'shows no evidence, an empty filter and an incomplete list as what they are',
    async () => {
      await open('search?q=zebra+quantum+harpsichord');
      await owner.getByText('No sufficient evidence.').waitFor();
      await look('no evidence');
      await open('sources?status=error');
      await owner.getByText('No source has this status.').waitFor();
      const lines = Array.from({ length: MORE_LINES }, (_, at) => `tally ${at}`);
      const files = { 'tally.txt': lines.join('\n') };
      const repository = TestRepository.create(`${world.service.scratch}/tally`, files);
      await client.syncToEnd((await client.createRepo('Tally', repository.url)).id);
      await open('search?q=tally&mode=code');
      await owner.getByText('The list is not complete. More lines match').waitFor();
      await look('incomplete');
      await owner.getByRole('link', { name: 'Further lines' }).click();
      await owner.getByText(`${MORE_LINES - SHOWN_LINES} lines in 1 file`).waitFor();
      await owner.getByText(`tally ${MORE_LINES - 1}`).waitFor();
      await owner.getByRole('link', { name: 'First lines' }).click();
      await owner.getByText('tally 0').waitFor();
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'keeps the query of a device that was offline',
    async () => {
      await open('search');
      await owner.context().setOffline(true);
      await search('total price of a cart');
      await owner.getByText('This device is offline').waitFor();
      expect(await owner.getByLabel('Query').inputValue()).toBe('total price of a cart');
      await look('offline');
      await owner.context().setOffline(false);
      await owner.getByRole('button', { name: 'Try again' }).click();
      await owner.locator('[data-result]').first().waitFor();
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'shows an unavailable engine with its code and the id of the request',
    async () => {
      const error = 'The search index is unavailable; retry in 10 s';
      const body = { error, code: 'engine_unavailable', request_id: 'request-1' };
      await owner.route('**/search', (route) =>
        route.fulfill({ status: 503, headers: { 'retry-after': '10' }, json: body }),
      );
      await open('search');
      await search('discount of a cart');
      await owner.getByText('A part of the service is away.').waitFor();
      expect(await alert().textContent()).toContain('request-1');
      expect(await alert().textContent()).toContain('engine_unavailable');
      await look('engine away');
      await owner.unrouteAll({ behavior: 'wait' });
      await owner.getByRole('button', { name: 'Try again' }).click();
      await owner.locator('[data-result]').first().waitFor();
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'says until when the plan is used up',
    async () => {
      await client.search('total price of a cart');
      await world.changePlan('single');
      await open('search');
      await search('rules of discounts');
      await owner.getByText('The plan is used up.').waitFor();
      expect(await alert().textContent()).toMatch(/free again in \d+ (minutes|seconds)/);
      await look('plan used up');
      await world.changePlan('standard');
      await owner.getByRole('button', { name: 'Try again' }).click();
      await owner.locator('[data-result]').first().waitFor();
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'asks for the password in place when another tab ends the session',
    async () => {
      await open('search');
      const ended = await owner.request.post(`${world.service.url}/auth/logout-everywhere`, {
        headers: await world.csrfHeaders(owner),
      });
      expect(ended.ok()).toBe(true);
      await search('gross total of the cart');
      const dialog = owner.getByRole('dialog');
      await dialog.getByText('Your session has ended').waitFor();
      await look('session ended');
      await dialog.getByLabel('Password').fill('a wrong password of mine');
      await owner.keyboard.press('Enter');
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Password').fill('correct horse battery staple');
      await owner.keyboard.press('Enter');
      await owner.locator('[data-result]').first().waitFor();
      expect(await owner.getByLabel('Query').inputValue()).toBe('gross total of the cart');
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'keeps the question when the key for research was revoked',
    async () => {
      const { id, key = '' } = await client.expect<IssuedKeyView>('POST', '/keys', {
        name: 'research',
        scopes: ['read', 'write'],
      });
      await open('research');
      await owner.getByLabel('API key').fill(key);
      await owner.getByRole('button', { name: 'Use the key' }).click();
      await owner.getByLabel('Question').fill('How often does the harbor client retry?');
      await client.expect('DELETE', `/keys/${id}`);
      await owner.getByRole('button', { name: 'Start research' }).click();
      await alert().waitFor();
      expect(await alert().textContent()).toContain('unauthorized');
      expect(await owner.getByLabel('Question').inputValue()).toContain('harbor');
      await look('key revoked');
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'shows a source that another tab deleted as gone',
    async () => {
      const repository = TestRepository.create(`${world.service.scratch}/pond`, {
        'pond.md': '# Ponds\n\nA pond of ducks is fed at noon.\n',
      });
      const source = await client.createRepo('Pond', repository.url);
      await client.syncToEnd(source.id);
      await open('search');
      await search('when is a pond of ducks fed');
      const result = owner.locator('[data-result]').first();
      await result.waitFor();
      await client.expect('DELETE', `/sources/${source.id}`);
      await result.click();
      await owner.getByText('Gone.').waitFor();
      await look('deleted file');
      await open(`sources/${source.id}`);
      await owner.getByText('Gone.').waitFor();
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'keeps changed settings of a policy that somebody else has changed',
    async () => {
      await open('policy');
      await owner.getByLabel('Least top score').fill('0.45');
      await client.expect('PUT', '/policy', { min_evidence_count: 2 });
      await owner.getByRole('button', { name: 'Save' }).click();
      await owner.getByText('Somebody else has changed the policy').waitFor();
      await look('policy changed');
      await owner.waitForFunction(
        `document.querySelector('[name="min_evidence_count"]').value === '2'`,
      );
      expect(await owner.getByLabel('Least top score').inputValue()).toBe('0.45');
      await owner.getByRole('row', { name: 'Least results 1 2' }).waitFor();
      await owner.getByRole('button', { name: 'Save' }).click();
      await owner.getByRole('row', { name: 'Least top score 0.3 0.45' }).waitFor();
      expect(await client.expect('GET', '/policy')).toMatchObject({
        min_evidence_count: 2,
        min_evidence_score: 0.45,
      });
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'leads on after a sync of a branch that is missing, and renames a source',
    async () => {
      const repository = TestRepository.create(`${world.service.scratch}/harvest`, {
        'harvest.md': '# Harvest\n\nApples are picked in autumn.\n',
      });
      const { id } = await client.expect<{ id: string }>('POST', '/sources', {
        name: 'Harvest',
        source_type: 'repo',
        url: repository.url,
        branch: 'missing',
      });
      await open(`sources/${id}`);
      await owner.getByRole('button', { name: 'Sync now' }).click();
      await owner.getByRole('button', { name: /^Sync the branch / }).waitFor();
      await look('missing branch');
      await owner.getByRole('button', { name: /^Sync the branch / }).click();
      await owner.getByRole('link', { name: 'Search in this source' }).waitFor();
      await owner.getByText('Settings', { exact: true }).click();
      await owner.locator('input[name=name]').fill('Orchard');
      await owner.getByRole('button', { name: 'Save settings' }).click();
      await owner.getByText('Saved.').waitFor();
      await owner.getByRole('heading', { name: 'Orchard' }).waitFor();
      await look('settings of a source');
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'shows why a job cannot be cancelled',
    async () => {
      // The job has ended; the page believes that it still runs.
      await owner.route('**/jobs?source_id=*', async (route) => {
        const response = await route.fetch();
        const list = (await response.json()) as { jobs: object[] };
        const jobs = list.jobs.map((job) => ({ ...job, status: 'running' }));
        await route.fulfill({ response, json: { ...list, jobs } });
      });
      await open(`sources/${world.sourceId}`);
      await owner.getByRole('button', { name: 'Cancel' }).first().click();
      await alert().waitFor();
      expect(await alert().textContent()).toContain('job_finished');
      await look('failed cancel');
      // The page asks again and again: without the wait, an answer may come after its route.
      await owner.unrouteAll({ behavior: 'wait' });
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'pages through conversations and shows one that opens as loading',
    async () => {
      await open('chat');
      const headers = await world.csrfHeaders(owner);
      const ids: string[] = [];
      for (let made = 0; made <= SHOWN_CONVERSATIONS; made += 1) {
        const response = await owner.request.post(`${world.service.url}/conversations`, {
          headers,
          data: {},
        });
        ids.push(((await response.json()) as { id: string }).id);
      }
      await owner.reload();
      await owner.getByText('Conversations', { exact: true }).click();
      await owner.getByText(`1–${SHOWN_CONVERSATIONS} of ${SHOWN_CONVERSATIONS + 1}`).waitFor();
      await owner.getByRole('button', { name: 'Next' }).click();
      const first = owner.locator(`a[href$="conversation=${ids[0]}"]`);
      await first.waitFor();
      await look('conversations');
      const held = Promise.withResolvers<void>();
      await owner.route(`**/conversations/${ids[0]}`, async (route) => {
        await held.promise;
        await route.continue();
      });
      await first.click();
      await owner.getByText('Loading the conversation…').waitFor();
      expect(await owner.getByText('Each statement is cited').count()).toBe(0);
      held.resolve();
      await owner.getByText('Each statement is cited').waitFor();
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'shows the chosen colors also before the sign-in',
    async () => {
      const member = await world.enter(browser, 'member');
      const colors = () => member.evaluate('document.documentElement.style.colorScheme');
      await member.getByText(/^member\d+@example.com$/).click();
      await member.getByLabel('Colors').selectOption('dark');
      expect(await colors()).toBe('dark');
      await member.getByRole('button', { name: 'Sign out' }).click();
      await member.getByRole('heading', { name: 'Sign in' }).waitFor();
      await member.reload();
      await member.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await colors()).toBe('dark');
    },
    STATE_TIMEOUT_MS,
  );

  it(
    'keeps what was typed when the service stops',
    async () => {
      await open('chat');
      await owner.getByLabel('Question').fill('How is the total computed?');
      await world.service.stop();
      await owner.keyboard.press('Enter');
      await owner.getByText('The service cannot be reached').waitFor();
      expect(await owner.locator('main').textContent()).toContain('How is the total computed?');
      await look('service stopped');
    },
    STATE_TIMEOUT_MS,
  );

  it('violates neither its policy nor a rule of access', () => {
    expect(access).toEqual([]);
    // Chromium logs every request that gets an error status, or no answer.
    const expected =
      /status of (40[149]|412|429|503)|ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED)/;
    expect(world.problems.flat().filter((each) => !expected.test(each))).toEqual([]);
  });
});
