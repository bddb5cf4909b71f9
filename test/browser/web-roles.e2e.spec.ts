import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { CHROMIUM_PATH, startChromium } from '#test/support/browser/chromium';
import { accessProblems } from '#test/support/browser/page-problems';
import { WebWorld } from '#test/support/browser/web-world';
import { describeWith } from '#test/support/describe-when';
import { writePdf } from '#test/support/pdf/pdf-writer';
import { HARBOR_REPOS } from '#test/support/research/harbor';

const JOURNEY_TIMEOUT_MS = 300_000;
const CLICKED = 'grossTotal';
/** Runs in the page: the middle of the first place of the name in the reading pane. */
const PLACE_OF_NAME = `(() => {
  const texts = document.createTreeWalker(document.querySelector('.source-text'), NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); ) {
    const at = text.data.indexOf('${CLICKED}');
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + '${CLICKED}'.length);
    const { x, y, width, height } = range.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }
})()`;

describeWith(CHROMIUM_PATH, 'the page by role', 'runs where Chromium is installed', (path) => {
  let world: WebWorld;
  let browser: Browser;
  let owner: Page;
  const access: string[] = [];

  beforeAll(async () => {
    world = await WebWorld.start();
    browser = await startChromium(path);
    owner = await world.enter(browser, 'owner');
  }, JOURNEY_TIMEOUT_MS);

  afterAll(async () => {
    await browser?.close();
    await world?.dispose();
  }, JOURNEY_TIMEOUT_MS);

  const look = async (page: Page, name: string) =>
    access.push(...(await accessProblems(page, name)));
  const open = (page: Page, place: string) => page.goto(world.address(place));

  it(
    'lets engineers search a package and link it',
    async () => {
      const page = await world.enter(browser, 'member');
      await open(page, 'packages');
      await page.getByText('No package is linked').waitFor();
      const form = page.getByRole('search');
      await form.getByLabel('Package').fill('@acme/okapi');
      await form.getByLabel('Query').fill('feed an okapi');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'feedOkapi' }).waitFor();
      await page.getByLabel('Link a package').getByLabel('Package').fill('@acme/okapi');
      await page.keyboard.press('Enter');
      await page.getByRole('table').getByText('npm @acme/okapi 1.2.0').waitFor();
      await look(page, 'packages');
      await page.getByRole('button', { name: 'Remove…' }).click();
      await page.getByRole('button', { name: 'Remove the link' }).click();
      await page.getByText('No package is linked').waitFor();
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'looks up the identifier that an engineer clicks',
    async () => {
      const page = await world.enter(browser, 'member');
      await open(page, 'search?q=total+price+of+a+cart');
      await page.locator('[data-result]').first().click();
      await page.locator('.cited').first().waitFor();
      const place = await page.evaluate<{ readonly x: number; readonly y: number }>(PLACE_OF_NAME);
      await page.mouse.click(place.x, place.y);
      await page.getByText('1 definition of').waitFor();
      expect(await page.getByRole('textbox', { name: 'Identifier' }).inputValue()).toBe(CLICKED);
      await look(page, 'definition');
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'puts a PDF into a conversation, chooses what answers use, and deletes it',
    async () => {
      const page = await world.enter(browser, 'member');
      await open(page, 'chat');
      await page.getByText('Documents of this conversation').click();
      const buffer = writePdf([
        [{ text: 'The lamp of the lighthouse is cleaned at noon.', x: 72, y: 72 }],
      ]);
      await page
        .getByLabel('PDF', { exact: true })
        .setInputFiles({ name: 'lighthouse.pdf', mimeType: 'application/pdf', buffer });
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('lighthouse.pdf').waitFor();
      await page.locator('.badge.good').waitFor();
      const ask = async (question: string) => {
        const sent = page.waitForRequest('**/chat/stream');
        await page.getByLabel('Question').fill(question);
        await page.keyboard.press('Enter');
        return (await sent).postDataJSON() as object;
      };
      expect(await ask('When is the lamp of the lighthouse cleaned?')).toMatchObject({
        include_global: true,
      });
      await page.locator('.answer').getByText('at noon').waitFor();
      await page.locator('.turn .receipt a').waitFor();
      await page.getByText('Content to use').click();
      await page.locator('select[name=source]').selectOption('Shop');
      await page.locator('input[name=packages]').fill('@acme/okapi');
      await page.getByLabel('Linked packages').uncheck();
      expect(await ask('How is the total price of a cart computed?')).toMatchObject({
        source_ids: [world.sourceId],
        include_global: false,
        package_mentions: [{ package_name: '@acme/okapi', ecosystem: 'npm' }],
      });
      await page.locator('.turn .receipt a').nth(1).waitFor();
      await look(page, 'chat with its content');
      await page.getByText('Conversations', { exact: true }).click();
      await page.getByRole('button', { name: 'Delete this conversation…' }).click();
      await look(page, 'end of a conversation');
      await page.getByRole('button', { name: 'Delete the conversation' }).click();
      await page.getByText('Each statement is cited').waitFor();
      expect(await page.getByText('lighthouse.pdf').count()).toBe(0);
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'shows members no audit and no actions of owners',
    async () => {
      const page = await world.enter(browser, 'member');
      expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
      await open(page, 'audit');
      await page.getByRole('heading', { name: 'No permission' }).waitFor();
      await open(page, 'people');
      await page.getByRole('heading', { name: 'No permission' }).waitFor();
      await look(page, 'no permission');
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'compares versions of a source, and shows the secret of a push hook once',
    async () => {
      await open(owner, `sources/${world.sourceId}`);
      await owner.getByText('History and versions').click();
      await owner.getByText('0 files added, 1 changed, 0 removed').waitFor();
      expect(await owner.getByLabel('Compare versions').textContent()).toContain('cart.ts');
      await owner.getByText('Push hook: off').click();
      await owner.getByRole('button', { name: 'Switch on' }).click();
      await owner.locator('.secret').waitFor();
      await look(owner, 'source');
      await owner.reload();
      await owner.getByText('Push hook: on').click();
      await owner.getByRole('button', { name: 'Make a new secret' }).waitFor();
      expect(await owner.locator('.secret').count()).toBe(0);
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'previews, saves and rolls back the policy',
    async () => {
      await open(owner, 'search?q=price+of+a+cart');
      await owner.locator('[data-result]').first().waitFor();
      await open(owner, 'policy');
      const days = owner.getByLabel('Stale after (days)');
      const saved = await days.inputValue();
      for (const value of ['5', '9']) {
        await days.fill(value);
        await owner.getByRole('button', { name: 'Preview on recent searches' }).click();
        await owner.getByRole('heading', { name: /^Effect on the last/ }).waitFor();
        await owner.getByRole('button', { name: 'Save' }).click();
        await owner.getByRole('heading', { name: /^Effect on the last/ }).waitFor({
          state: 'detached',
        });
      }
      expect(saved).not.toBe('9');
      await owner.getByRole('button', { name: 'Restore these settings…' }).first().click();
      await owner.getByRole('dialog').getByText('Stale after', { exact: true }).waitFor();
      await look(owner, 'policy');
      await owner.getByRole('button', { name: 'Restore', exact: true }).click();
      await owner.getByText('policy.updated').nth(2).waitFor();
      expect(await days.inputValue()).toBe('5');
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'lets auditors verify the trail, see an earlier state and replay a search of then',
    async () => {
      const page = await world.enter(browser, 'auditor');
      await open(page, 'audit');
      await page.getByRole('button', { name: 'Verify the trail' }).click();
      await page.getByText('unbroken').waitFor();
      await page.getByText('State at an earlier time').click();
      const slider = page.getByRole('slider');
      await slider.waitFor();
      await page.getByRole('heading', { name: 'Sources (1)' }).waitFor();
      await look(page, 'audit');
      await page.getByRole('link', { name: 'receipt and replay' }).first().click();
      await page.getByRole('heading', { name: 'Policy of that time' }).waitFor();
      await page.getByRole('button', { name: 'Replay' }).click();
      await page.getByText('The replay gives the same answer.').waitFor();
      await look(page, 'receipt');
      await open(page, 'audit?as_of=0');
      await page.getByRole('heading', { name: 'Sources (0)' }).waitFor();
      const href = await page
        .getByRole('link', { name: 'Export these records' })
        .getAttribute('href');
      const answer = await page.request.get(href ?? '');
      expect(answer.status()).toBe(200);
      expect(await answer.text()).toContain('SourceRegistered');
      await open(page, 'sources');
      await page.getByRole('table').waitFor();
      expect(await page.getByText('Add a source').count()).toBe(0);
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'runs research with a key of the tab, and verifies its citations',
    async () => {
      await open(owner, 'research');
      await look(owner, 'key for research');
      await owner.getByLabel('API key').fill('fn_wrong');
      await owner.getByRole('button', { name: 'Use the key' }).click();
      await owner.getByRole('alert').waitFor();
      await owner.getByLabel('API key').fill(world.key);
      await owner.getByRole('button', { name: 'Use the key' }).click();
      const question = 'How often does the harbor client retry, and which limit is set?';
      await owner.getByLabel('Question').fill(question);
      await owner.getByLabel('Repositories').fill(HARBOR_REPOS.join(', '));
      await owner.getByRole('button', { name: 'Start research' }).click();
      await owner.getByRole('button', { name: 'Verify the citations' }).click();
      await owner.getByText(/^\d+ match, 0 changed, 0 gone$/).waitFor();
      await owner.locator('.mark').first().click();
      await owner.locator('details[id^="cited-"][open]').waitFor();
      await look(owner, 'research');
      await owner.reload();
      await owner.getByLabel('API key').waitFor();
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'shows what is gone, and usage with its tables',
    async () => {
      await open(owner, 'sources/019bc0de-5c1e-7d52-9f0a-3a8f6f0f9a11');
      await owner.getByText('Gone.').waitFor();
      await look(owner, 'gone');
      await open(owner, 'receipts/unknown');
      await owner.getByText('Gone.').waitFor();
      await open(owner, 'usage');
      await owner.getByText('Syncs as a table').click();
      await look(owner, 'usage');
      await open(owner, 'nowhere');
      await owner.getByRole('heading', { name: 'Page not found' }).waitFor();
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'advises where a pattern matches blank lines',
    async () => {
      // No file of this tenant lacks lines; the reason is put into a real answer.
      await owner.route('**/search/code', async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as object;
        const json = { ...answer, complete: false, incomplete_reason: 'blank_lines' };
        await route.fulfill({ response, json });
      });
      await open(owner, `search?mode=regex&q=${encodeURIComponent('^\\s*$')}`);
      await owner.getByText('add a character that each line has').waitFor();
      await look(owner, 'incomplete list');
    },
    JOURNEY_TIMEOUT_MS,
  );

  it('violates neither its policy nor a rule of access', () => {
    expect(access).toEqual([]);
    // Chromium logs every answer with an error status that the page requests.
    const logged = world.problems.flat().filter((each) => !/status of 40[14]/.test(each));
    expect(logged).toEqual([]);
  });
});
