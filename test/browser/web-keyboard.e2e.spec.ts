import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { CHROMIUM_PATH, startChromium } from '#test/support/browser/chromium';
import { Keyboard } from '#test/support/browser/keyboard';
import { accessProblems, watchProblems } from '#test/support/browser/page-problems';
import { WebWorld } from '#test/support/browser/web-world';
import { describeWith } from '#test/support/describe-when';
import { TestRepository } from '#test/support/git-repository';

const JOURNEY_TIMEOUT_MS = 300_000;
const MOST_ACTIONS = 8;
/** The promised time from the first link to a cited answer; it takes seconds. */
const MOST_NEWCOMER_MS = 120_000;

describeWith(CHROMIUM_PATH, 'the page by keyboard', 'runs where Chromium is installed', (path) => {
  let world: WebWorld;
  let browser: Browser;
  const keyboards: Keyboard[] = [];
  const access: string[] = [];

  beforeAll(async () => {
    world = await WebWorld.start();
    browser = await startChromium(path);
  }, JOURNEY_TIMEOUT_MS);

  afterAll(async () => {
    await browser?.close();
    await world?.dispose();
  }, JOURNEY_TIMEOUT_MS);

  const of = (page: Page) => {
    const keyboard = new Keyboard(page);
    keyboards.push(keyboard);
    return keyboard;
  };
  const look = async (page: Page, name: string) =>
    access.push(...(await accessProblems(page, name)));
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it(
    'leads a newcomer from the link to a cited answer in eight actions and two minutes',
    async () => {
      const files = { 'pond.md': '# Ponds\n\nThe pond of the ducks is cleaned every Monday.\n' };
      const { url } = TestRepository.create(`${world.service.scratch}/ponds`, files);
      const page = await (await browser.newContext()).newPage();
      const problems = watchProblems(page, new URL(world.service.url).origin);
      world.problems.push(problems);
      const newcomer = of(page);
      const started = Date.now();
      await page.goto(world.address(`join/${await world.inviteToNewTenant()}`));
      await newcomer.fill(page.getByLabel('E-mail address'), 'newcomer@example.com');
      await newcomer.fill(page.getByLabel('Password'), 'correct horse battery staple');
      await newcomer.activate(button(page, 'Join'));
      await newcomer.activate(page.getByRole('link', { name: 'Add a source' }));
      await newcomer.fill(page.getByLabel('Address', { exact: true }), url);
      await newcomer.activate(button(page, 'Add and sync'));
      await newcomer.activate(page.getByRole('link', { name: 'Ask a question' }));
      await newcomer.fill(page.getByLabel('Question'), 'When is the pond of the ducks cleaned?');
      // Enter in the field asks; both are one action.
      await page.keyboard.press('Enter');
      const mark = page.locator('.mark').first();
      await mark.waitFor();
      expect(newcomer.actions).toBeLessThanOrEqual(MOST_ACTIONS);
      expect(Date.now() - started).toBeLessThan(MOST_NEWCOMER_MS);
      await newcomer.activate(mark);
      await page.locator('.cited').first().waitFor();
      await look(page, 'cited answer');
      await newcomer.press('Escape');
      await page.locator('.pane').waitFor({ state: 'detached' });
      expect(await newcomer.focused("document.querySelector('.mark')")).toBe(true);
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'lets an engineer search, read and follow an identifier',
    async () => {
      const page = await world.enter(browser, 'member');
      const engineer = of(page);
      const isFocused = (selector: string) =>
        engineer.focused(`document.querySelector(${JSON.stringify(selector)})`);
      await engineer.press('/');
      expect(await isFocused('input[type=search]')).toBe(true);
      await page.keyboard.type('total price of a cart');
      await engineer.press('Enter');
      await page.locator('[data-result]').first().waitFor();
      expect(await isFocused('input[type=search]')).toBe(true);
      await engineer.press('ArrowDown');
      expect(await isFocused('[data-result]')).toBe(true);
      await engineer.press('j');
      expect(await isFocused('[data-result]')).toBe(false);
      await engineer.press('k');
      expect(await isFocused('[data-result]')).toBe(true);
      await engineer.press('?');
      await page.getByRole('dialog').waitFor();
      await look(page, 'list of keys');
      await engineer.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await isFocused('[data-result]')).toBe(true);
      await engineer.press('o');
      await page.locator('.cited').first().waitFor();
      expect(await isFocused('.pane h2')).toBe(true);
      await engineer.activate(page.getByText('Definitions and references'));
      await engineer.fill(page.getByRole('textbox', { name: 'Identifier' }), 'grossTotal');
      await engineer.press('Enter');
      await page.getByText('1 definition of').waitFor();
      await engineer.activate(button(page, 'Find references'));
      await page.getByText(/^\d references?/).waitFor();
      await look(page, 'references');
      await engineer.activate(page.locator('.pane .outline a').last());
      await page.locator('.cited').first().waitFor();
      await engineer.press('Escape');
      await page.locator('.pane').waitFor({ state: 'detached' });
      expect(await isFocused('[data-result]')).toBe(true);
      await engineer.choose(page.getByLabel('Kind of search'), 'Exact');
      await engineer.fill(page.getByLabel('Query'), 'grossTotal');
      await engineer.press('Enter');
      await page.getByText(/documents examined/).waitFor();
      await look(page, 'exact search');
      await engineer.press('Escape');
      await engineer.press('j');
      expect(await isFocused('[data-result]')).toBe(true);
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'keeps the focus when a linked package leaves its list',
    async () => {
      const page = await world.enter(browser, 'member');
      const engineer = of(page);
      await engineer.activate(page.getByRole('link', { name: 'Packages' }));
      const form = page.getByLabel('Link a package');
      await engineer.fill(form.getByLabel('Package'), '@acme/okapi');
      await engineer.activate(button(page, 'Link'));
      await engineer.activate(button(page, 'Remove…'));
      await engineer.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await engineer.activate(button(page, 'Remove…'));
      await look(page, 'removal of a link');
      await engineer.activate(button(page, 'Remove the link'));
      await page.getByText('No package is linked').waitFor();
      await engineer.reach(form.getByLabel('Package'));
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'lets an auditor verify the trail and go back in time',
    async () => {
      const page = await world.enter(browser, 'auditor');
      const auditor = of(page);
      await auditor.activate(page.getByRole('link', { name: 'Audit' }));
      await auditor.activate(button(page, 'Verify the trail'));
      await page.getByText('unbroken').waitFor();
      await auditor.activate(page.getByText('State at an earlier time'));
      await auditor.reach(page.getByRole('slider'));
      await auditor.press('Home');
      await page.getByRole('heading', { name: 'Sources (0)' }).waitFor();
      await auditor.press('End');
      await page.getByRole('heading', { name: 'Sources (1)' }).waitFor();
      await look(page, 'earlier time');
      await auditor.fill(page.getByLabel('action'), 'source.*');
      await auditor.press('Enter');
      await page.getByText('State at an earlier time').waitFor();
      await auditor.activate(page.getByRole('link', { name: 'receipt and replay' }).first());
      await page.getByRole('heading', { name: 'Policy of that time' }).waitFor();
      await auditor.activate(button(page, 'Replay'));
      await page.getByText('The replay gives the same answer.').waitFor();
      await look(page, 'replay');
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'lets an owner change the policy, invite people and revoke a key',
    async () => {
      const page = await world.enter(browser, 'owner');
      const owner = of(page);
      await owner.activate(page.getByRole('link', { name: 'Policy' }));
      await owner.fill(page.getByLabel('Stale after (days)'), '7');
      await owner.activate(button(page, 'Preview on recent searches'));
      await page.getByLabel('Preview', { exact: true }).or(page.getByText('no recent')).waitFor();
      await owner.activate(button(page, 'Save'));
      await page.getByText('policy.updated').first().waitFor();
      await owner.fill(page.getByLabel('Stale after (days)'), '8');
      await owner.activate(button(page, 'Save'));
      await page.getByText('policy.updated').nth(1).waitFor();
      await owner.activate(button(page, 'Restore these settings…'));
      await page.getByRole('dialog').getByText('Stale after', { exact: true }).waitFor();
      await look(page, 'rollback');
      await owner.activate(button(page, 'Restore'));
      await page.getByText('policy.updated').nth(2).waitFor();
      await owner.activate(page.getByRole('link', { name: 'People' }));
      await owner.activate(button(page, 'Invite'));
      await page.locator('.secret').first().waitFor();
      await owner.fill(page.getByLabel('Name of the key'), 'ci');
      await owner.activate(page.getByLabel('write'), 'Space');
      await owner.activate(button(page, 'Create key'));
      await owner.activate(button(page, 'Revoke…').first());
      await look(page, 'revocation of a key');
      await owner.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await owner.focused("document.querySelector('li button')")).toBe(false);
      await owner.activate(button(page, 'Revoke…').first());
      await owner.activate(button(page, 'Yes, do it'));
      await page.getByText('revoked').first().waitFor();
      await owner.activate(page.getByLabel(/^Account of/));
      await owner.activate(button(page, 'Sign out'));
      await owner.reach(page.getByLabel('E-mail address'));
    },
    JOURNEY_TIMEOUT_MS,
  );

  it('loses the focus nowhere, breaks no rule of access and logs no problem', () => {
    expect(access).toEqual([]);
    expect(keyboards.flatMap(({ lost }) => lost)).toEqual([]);
    expect(world.problems.flat()).toEqual([]);
  });
});
