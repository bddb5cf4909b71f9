import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { CHROMIUM_PATH, startChromium } from '#test/support/browser/chromium';
import { accessProblems, watchProblems } from '#test/support/browser/page-problems';
import { describeWith } from '#test/support/describe-when';
import { TestRepository } from '#test/support/git-repository';
import { TwoTenantService } from '#test/support/two-tenants';

const STEP_TIMEOUT_MS = 60_000;
const JOURNEY_TIMEOUT_MS = 300_000;

const CART = `/** A cart of a shop. */
export class Cart {
  private readonly prices: number[] = [];

  /** Returns the total price of the cart, with tax. */
  total(tax: number): number {
    return this.prices.reduce((sum, price) => sum + price, 0) * (1 + tax);
  }
}
`;
const HOSTILE = `# Discount rules <img class="planted" src=x onerror=alert(1)>

<script>alert(1)</script> A discount applies to a cart of ten items.
[more](javascript:alert(1)) <a class="planted" href="https://attacker.example.com">rules</a>
`;

if (CHROMIUM_PATH === undefined)
  process.stdout.write('skipped: the page in a browser, for want of Chromium\n');

describeWith(CHROMIUM_PATH, 'the page in Chromium', 'runs where Chromium is installed', (path) => {
  let service: TwoTenantService;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[];
  const access: string[] = [];

  beforeAll(async () => {
    // Without a given key the first start prints a link for the owner.
    service = await TwoTenantService.start({ BOOTSTRAP_API_KEY: '' });
    browser = await startChromium(path);
    page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    problems = watchProblems(page, new URL(service.url).origin);
  }, JOURNEY_TIMEOUT_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.dispose();
  }, JOURNEY_TIMEOUT_MS);

  const look = async (name: string) => access.push(...(await accessProblems(page, name)));
  const open = (place: string) => page.goto(`${service.url}/ui/#/${place}`);

  it(
    'leads from the first link to a cited answer',
    async () => {
      const link = /http\S+#\/join\/\S+/.exec(service.service.output)?.[0] ?? '';
      await page.goto(link);
      await page.getByLabel('E-mail address').fill('owner@example.com');
      await page.getByLabel('Password').fill('correct horse battery staple');
      await look('join');
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByRole('heading', { name: 'Search' }).waitFor();

      const files = { 'cart.ts': CART, 'rules.md': HOSTILE };
      const repository = TestRepository.create(`${service.scratch}/shop`, files);
      await open('sources');
      await page.getByLabel('Address', { exact: true }).fill(repository.url);
      await page.getByRole('button', { name: 'Add and sync' }).click();
      await page.getByText('Search in this source').waitFor();
      await look('source');

      await open('chat');
      await page.getByLabel('Question').fill('How is the total price of a cart computed?');
      await page.keyboard.press('Enter');
      await page.locator('.mark').first().click();
      expect(await page.locator('.source-text').first().textContent()).toContain('cart');
      await look('chat');
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'shows hostile content as text alone',
    async () => {
      await open('search?q=discount+rules');
      await page.locator('[data-result]').first().click();
      await page.locator('.source-text').waitFor();
      const shown = await page.locator('main').textContent();
      expect(shown).toContain('onerror=alert(1)');
      expect(await page.locator('.planted, main script, main img').count()).toBe(0);
      expect(await page.locator('a[href^="javascript:"], a[href*="attacker"]').count()).toBe(0);
      await look('results');
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'shows nothing of another tenant',
    async () => {
      const files = { 'secret.md': '# Discount rules\n\nThis discount is secret.\n' };
      const repository = TestRepository.create(`${service.scratch}/other`, files);
      const other = await service.second.createRepo('Other', repository.url);
      await service.second.syncToEnd(other.id);
      await open('sources');
      await page.getByRole('table').waitFor();
      expect(await page.getByRole('table').textContent()).not.toContain('Other');
      await open('search?q=discount');
      await page.locator('[data-result]').first().waitFor();
      expect(await page.getByText('secret.md').count()).toBe(0);
    },
    JOURNEY_TIMEOUT_MS,
  );

  it('violates neither its policy nor a rule of access', () => {
    expect(problems).toEqual([]);
    expect(access).toEqual([]);
  });
});
