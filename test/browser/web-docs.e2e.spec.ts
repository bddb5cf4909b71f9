import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { CHROMIUM_PATH, startChromium } from '#test/support/browser/chromium';
import { accessProblems, watchProblems } from '#test/support/browser/page-problems';
import { describeWith } from '#test/support/describe-when';
import { TestRepository } from '#test/support/git-repository';
import { TwoTenantService } from '#test/support/two-tenants';

const STEP_TIMEOUT_MS = 20_000;
const JOURNEY_TIMEOUT_MS = 300_000;
const README = '# Contexts\n\nRequest contexts are pushed before a request is dispatched.\n';

describeWith(CHROMIUM_PATH, 'the page of the API', 'runs where Chromium is installed', (path) => {
  let service: TwoTenantService;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[];
  const access: string[] = [];

  beforeAll(async () => {
    service = await TwoTenantService.start();
    const { url } = TestRepository.create(`${service.scratch}/flask`, { 'README.md': README });
    const source = await service.first.createRepo('Flask', url);
    await service.first.syncToEnd(source.id);
    browser = await startChromium(path);
    page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    problems = watchProblems(page, new URL(service.url).origin);
    await page.goto(`${service.url}/docs`);
    await page.getByRole('heading', { name: 'search' }).waitFor();
  }, JOURNEY_TIMEOUT_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.dispose();
  }, JOURNEY_TIMEOUT_MS);

  const look = async (name: string) => access.push(...(await accessProblems(page, name)));
  const operation = (id: string) => page.locator(`#${id}`);
  const open = async (id: string) => {
    await operation(id).locator('summary').first().click();
    await operation(id).getByRole('button', { name: 'Send the request' }).waitFor();
  };
  const send = (id: string) =>
    operation(id).getByRole('button', { name: 'Send the request' }).click();
  const received = async (id: string, status: string) => {
    await operation(id).getByText(status, { exact: true }).waitFor();
    return operation(id).locator('.received').textContent();
  };

  it(
    'runs the example of a search as shown',
    async () => {
      await look('closed');
      await open('search_post');
      await send('search_post');
      await received('search_post', '401 Unauthorized');
      await page.getByLabel('API key').fill(service.key);
      await send('search_post');
      expect(await received('search_post', '200 OK')).toContain('"path": "README.md"');
      await look('answered');
    },
    JOURNEY_TIMEOUT_MS,
  );

  it('fills parameters into a request', async () => {
    await open('sources_list');
    await operation('sources_list')
      .getByRole('textbox', { name: /^limit/ })
      .fill('1');
    await send('sources_list');
    expect(await received('sources_list', '200 OK')).toContain('"name": "Flask"');
    await open('sources_get');
    await operation('sources_get')
      .getByRole('textbox', { name: /^source_id/ })
      .fill('unknown/../x');
    await send('sources_get');
    expect(await received('sources_get', '404 Not Found')).toContain('source_not_found');
  });

  it(
    'shows the fields of bodies and answers, also those that recur',
    async () => {
      const search = operation('search_post');
      await search.getByText('200', { exact: true }).click();
      await search.getByText('Fields of results').click();
      await search.getByText('Fields of citation').first().click();
      await search.getByText('version_ref').first().waitFor();
      await look('fields');
    },
    JOURNEY_TIMEOUT_MS,
  );

  it('finds operations by words', async () => {
    await page.getByLabel('Operations with').fill('policy rollback');
    await page.getByText('1 operation', { exact: true }).waitFor();
    await page.getByLabel('Operations with').fill('');
  });

  it(
    'has accessible forms for the first operation of each tag',
    async () => {
      await page.evaluate(
        `document.querySelectorAll('section > .operation:nth-of-type(1):not([open]) > summary').forEach((each) => each.click())`,
      );
      await operation('auth_register').getByText('Body', { exact: true }).first().waitFor();
      await look('forms');
    },
    JOURNEY_TIMEOUT_MS,
  );

  it('violates neither its policy nor a rule of access', () => {
    expect(access).toEqual([]);
    expect(problems.filter((each) => !/status of 40[14]/.test(each))).toEqual([]);
  });
});
