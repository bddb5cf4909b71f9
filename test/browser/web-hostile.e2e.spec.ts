import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { CHROMIUM_PATH, startChromium } from '#test/support/browser/chromium';
import { watchProblems } from '#test/support/browser/page-problems';
import { describeWith } from '#test/support/describe-when';
import { TestRepository } from '#test/support/git-repository';
import { type HostileDocument, hostileDocuments } from '#test/support/hostile-documents';
import { TwoTenantService } from '#test/support/two-tenants';

const STEP_TIMEOUT_MS = 15_000;
const SUITE_TIMEOUT_MS = 600_000;
const DOCUMENTS = 63;
const LONGEST_NAME = 200;
/** Characters that the service rejects in names. */
const REJECTED = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const PASSWORD = 'correct horse battery staple';
/** Names that the page shows: of a source, and of files in its repository. */
const MARKUP = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)<\\script>',
  "' onmouseover='alert(1)",
  'javascript:alert(1)',
  '{{7*7}} ${7*7}',
];
/** Elements that the page never has, and links that leave it. */
const PLANTED =
  'main :is(script, img, svg, iframe, object, embed, video, style, link, base, meta), ' +
  'main a[href]:not([href^="#/"]):not([download]), main [onerror], main [onload], main [onmouseover]';

describeWith(CHROMIUM_PATH, 'hostile content', 'runs where Chromium is installed', (path) => {
  let service: TwoTenantService;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[];
  let documents: readonly HostileDocument[];
  let attacker: Server;
  const requests: string[] = [];

  beforeAll(async () => {
    attacker = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`;
    service = await TwoTenantService.start({
      BOOTSTRAP_API_KEY: '',
      QUOTA_PLANS: '{"standard":{}}',
    });
    const secret = TestRepository.create(`${service.scratch}/secret`, {
      'secret.md': '# Secret\n\nThe treasure of the other tenant.\n',
    });
    const other = await service.second.createRepo('Other', secret.url);
    await service.second.syncToEnd(other.id);
    documents = hostileDocuments({ url, otherTenant: { id: other.id, path: 'secret.md' } });

    browser = await startChromium(path);
    page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    problems = watchProblems(page, new URL(service.url).origin);
    await page.goto(/http\S+#\/join\/\S+/.exec(service.service.output)?.[0] ?? '');
    await page.getByLabel('E-mail address').fill('owner@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Search' }).waitFor();
  }, SUITE_TIMEOUT_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.dispose();
    attacker?.close();
  }, SUITE_TIMEOUT_MS);

  const open = (place: string) => page.goto(`${service.url}/ui/#/${place}`);
  const expectText = async (where: string) => {
    const planted = await page.locator(PLANTED).evaluateAll((elements) => elements.map(String));
    expect([where, planted]).toEqual([where, []]);
  };
  /** Calls the service as the page does, with the session of the browser. */
  const call = async (method: string, route: string, body?: object) => {
    const me = await page.request.get(`${service.url}/auth/me`);
    const { csrf_token: token } = (await me.json()) as { csrf_token: string };
    const answer = await page.request.fetch(`${service.url}${route}`, {
      method,
      headers: { 'x-csrf-token': token },
      ...(body && { data: body }),
    });
    if (!answer.ok()) throw new Error(`${route} ${JSON.stringify(body)}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };

  it(
    'is text among the names of sources',
    async () => {
      expect(documents).toHaveLength(DOCUMENTS);
      const files = Object.fromEntries([
        ...documents.map((document) => [document.path, document.content]),
        ...MARKUP.map((name, at) => [
          `names/${name.replaceAll('/', '-')}.md`,
          `# Named\n\nThe zqname${at} file is named by a stranger.\n`,
        ]),
      ]) as Record<string, string>;
      const repository = TestRepository.create(`${service.scratch}/hostile`, files);
      const names = [...documents.map(({ content }) => content), ...MARKUP]
        .map((text) => text.replaceAll(REJECTED, ' ').trim().slice(0, LONGEST_NAME))
        .filter((text) => text !== '');
      for (const name of names) {
        await call('POST', '/sources', {
          name,
          source_type: 'repo',
          url: 'https://host.example/x',
        });
      }
      await open('sources');
      await page
        .getByLabel('Address', { exact: true })
        .or(page.getByText('Add a source'))
        .first()
        .waitFor();
      await page.getByText('Add a source').click();
      await page.getByLabel('Address', { exact: true }).fill(repository.url);
      await page
        .getByLabel(/^Name/)
        .first()
        .fill(MARKUP[0] ?? '');
      await page.getByRole('button', { name: 'Add and sync' }).click();
      await page.getByText('Search in this source').waitFor({ timeout: 120_000 });
      await expectText('source');
      for (const skip of [0, 50]) {
        await open(`sources?skip=${skip}`);
        await page.getByRole('table').waitFor();
        await expectText(`sources ${skip}`);
      }
    },
    SUITE_TIMEOUT_MS,
  );

  it(
    'is text among results and in the reading pane',
    async () => {
      const words = [
        ...documents.map(({ word }) => word),
        ...MARKUP.map((_, at) => `zqname${at} file named by a stranger`),
      ];
      const shown: string[] = [];
      for (const word of words) {
        await open(`search?q=${encodeURIComponent(word)}`);
        await page.locator('[data-result]').first().waitFor();
        await page.locator('[data-result]').first().click();
        await page.locator('.source-text .line').first().waitFor();
        await expectText(word);
        shown.push((await page.locator('.source-text').textContent()) ?? '');
        await open('search');
        await page.locator('.pane').waitFor({ state: 'detached' });
      }
      expect(shown.join('')).toContain('<script src=');
      expect(shown.filter((text) => text.includes('zq')).length).toBe(words.length);
    },
    SUITE_TIMEOUT_MS,
  );

  it(
    'is text in answers of the chat',
    async () => {
      for (const { word } of documents) {
        await page.goto('about:blank');
        await open('chat');
        await page.getByLabel('Question').fill(`By whom is the ${word} cleared?`);
        await page.keyboard.press('Enter');
        await page.getByText('The answer is complete').waitFor({ state: 'attached' });
        await page.locator('.answer').first().waitFor();
        await expectText(`chat ${word}`);
      }
      await open('chat');
      await page.getByText('Conversations').click();
      await expectText('conversations');
    },
    SUITE_TIMEOUT_MS,
  );

  it(
    'is text in the audit trail and in receipts',
    async () => {
      await open('audit?category=data');
      for (let pages = 0; pages < 5; pages += 1) {
        await page.locator('.history > li').first().waitFor();
        await page.evaluate(
          `document.querySelectorAll('.history details > summary').forEach((each) => each.click())`,
        );
        await expectText('audit');
        const older = page.getByRole('button', { name: 'Older' });
        if ((await older.count()) === 0) break;
        const first = await page.locator('.history > li').first().textContent();
        await older.click();
        await page
          .locator('.history > li')
          .first()
          .filter({ hasNotText: first ?? '' })
          .waitFor();
      }
      await open('audit');
      await page.getByText('State at an earlier time').click();
      await page.getByRole('heading', { name: /^Sources/ }).waitFor();
      await expectText('earlier state');
    },
    SUITE_TIMEOUT_MS,
  );

  it('runs no script, loads nothing and violates no policy', async () => {
    expect(requests).toEqual([]);
    expect(problems).toEqual([]);
    expect(await page.locator('main').textContent()).not.toContain('treasure');
  });
});
