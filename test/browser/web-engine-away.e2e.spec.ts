import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { CHROMIUM_PATH, startChromium } from '#test/support/browser/chromium';
import { accessProblems } from '#test/support/browser/page-problems';
import { WebWorld } from '#test/support/browser/web-world';
import { describeWith } from '#test/support/describe-when';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';

const TIMEOUT_MS = 300_000;

describeWith(
  CHROMIUM_PATH,
  'an engine that is away',
  'runs where Chromium is installed',
  (path) => {
    let endpoint: OpenAiEndpoint;
    let world: WebWorld;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      endpoint = await OpenAiEndpoint.start();
      world = await WebWorld.start({
        EMBEDDING_MODEL: 'test-model',
        EMBEDDING_DIMENSIONS: '64',
        EMBEDDING_BASE_URL: endpoint.url,
        EMBEDDING_API_KEY: 'sk-endpoint',
        EMBEDDING_SIMILARITY_RANGE: '0.3-0.7',
      });
      browser = await startChromium(path);
      page = await world.enter(browser, 'member');
    }, TIMEOUT_MS);

    afterAll(async () => {
      await browser?.close();
      await world?.dispose();
      await endpoint?.close();
    }, TIMEOUT_MS);

    it(
      'is named with the code and the request, and the search works again once it is back',
      async () => {
        const port = Number(new URL(endpoint.url).port);
        await endpoint.close();
        await page.getByLabel('Query').fill('which discount applies to a cart');
        await page.keyboard.press('Enter');
        await page.getByText('A part of the service is away.').waitFor();
        const shown = await page.getByRole('alert').first().textContent();
        expect(shown).toMatch(/engine_unavailable|model_unavailable/);
        expect(shown).toMatch(/request [\w-]+/);
        expect(await accessProblems(page, 'model away')).toEqual([]);

        endpoint = await OpenAiEndpoint.start({ port });
        const retry = page.getByRole('button', { name: 'Try again' });
        const result = page.locator('[data-result]').first();
        // The service gives a failing endpoint a rest before it asks it again.
        while (!(await result.isVisible())) {
          if (await retry.isVisible()) await retry.click();
          await page.waitForTimeout(500);
        }
        expect(await page.getByLabel('Query').inputValue()).toBe(
          'which discount applies to a cart',
        );
      },
      TIMEOUT_MS,
    );
  },
);
