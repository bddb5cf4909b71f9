import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Page } from 'playwright-core';

import { ApiClient } from '#test/support/api-client';
import { CHROMIUM_PATH, startChromium } from '#test/support/browser/chromium';
import { TEST_PLANS, WebWorld } from '#test/support/browser/web-world';
import { HARBOR_REPOS } from '#test/support/research/harbor';

const WIDTHS = [1280, 320];
const SCHEMES = ['light', 'dark'] as const;
const UNKNOWN = '019bc0de-5c1e-7d52-9f0a-3a8f6f0f9a11';
const QUESTION = 'How often does the harbor client retry, and which limit is set?';

type Shoot = (page: Page, name: string) => Promise<void>;

/**
 * Writes a picture of each page and state to a folder, in both themes and at both widths:
 * `npm run web:screenshots -- FOLDER`.
 */
async function main([folder]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error('The folder for the pictures is missing');
  if (CHROMIUM_PATH === undefined) throw new Error('Chromium is missing; set CHROMIUM_PATH');
  const target = resolve(folder);
  mkdirSync(target, { recursive: true });
  const world = await WebWorld.start({ QUOTA_PLANS: TEST_PLANS });
  const browser = await startChromium(CHROMIUM_PATH);
  const shoot: Shoot = async (page, name) => {
    for (const width of WIDTHS) {
      for (const colorScheme of SCHEMES) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const path = join(target, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    process.stdout.write(`${name}\n`);
  };
  try {
    const stranger = await browser.newPage();
    await stranger.goto(world.address(''));
    await stranger.getByRole('heading', { level: 1 }).waitFor();
    await shoot(stranger, 'sign-in');
    await shootEngineer(world, await world.enter(browser, 'member'), shoot);
    await shootOwner(world, await world.enter(browser, 'owner'), shoot);
    await shootStates(world, await world.enter(browser, 'auditor'), shoot);
  } finally {
    await browser.close();
    await world.dispose();
  }
}

async function shootEngineer(world: WebWorld, page: Page, shoot: Shoot): Promise<void> {
  await page.getByText('Ask a question, or name an identifier.').waitFor();
  await shoot(page, 'search-empty');
  await page.goto(world.address('search?q=total+price+of+a+cart'));
  await page.locator('[data-result]').first().waitFor();
  await page.getByText('Why this result').first().click();
  await shoot(page, 'search-results');
  await page.locator('[data-result]').first().click();
  await page.locator('.source-text').waitFor();
  await shoot(page, 'reading-pane');
  await page.goto(world.address('search?q=grossTotal&mode=code'));
  await page.locator('[data-result]').first().waitFor();
  await shoot(page, 'search-code');
  await page.goto(world.address('search?q=zebra+quantum+harpsichord'));
  await page.getByRole('status').first().waitFor();
  await shoot(page, 'search-no-evidence');
  await page.goto(world.address('chat'));
  await page.getByLabel('Question').fill('How is the total price of a cart computed?');
  await page.keyboard.press('Enter');
  await page.locator('.mark').first().click();
  await page.locator('.source-text').waitFor();
  await shoot(page, 'chat');
  await page.goto(world.address('chat'));
  for (const part of ['Conversations', 'Documents of this conversation', 'Content to use'])
    await page.getByText(part, { exact: true }).click();
  await page.getByText('Shop', { exact: true }).first().waitFor({ state: 'attached' });
  await shoot(page, 'chat-parts');
  await page.goto(world.address('sources'));
  await page.getByRole('table').waitFor();
  await shoot(page, 'sources');
  await page.goto(world.address(`sources/${world.sourceId}`));
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  await shoot(page, 'source');
  const search = new URLSearchParams({ ecosystem: 'npm', name: '@acme/okapi', q: 'feed an okapi' });
  await page.goto(world.address(`packages?${search.toString()}`));
  await page.getByRole('heading', { name: 'feedOkapi' }).waitFor();
  await shoot(page, 'packages');
}

async function shootOwner(world: WebWorld, page: Page, shoot: Shoot): Promise<void> {
  await page.goto(world.address('research'));
  await page.getByLabel('API key').waitFor();
  await shoot(page, 'research-key');
  await page.getByLabel('API key').fill(world.key);
  await page.getByRole('button', { name: 'Use the key' }).click();
  await page.getByLabel('Question').fill(QUESTION);
  await page.getByLabel('Repositories').fill(HARBOR_REPOS.join(' '));
  await shoot(page, 'research-start');
  await page.getByRole('button', { name: 'Start research' }).click();
  await page.getByRole('button', { name: 'Verify the citations' }).waitFor();
  await page.locator('.mark').first().click();
  await shoot(page, 'research-job');
  await page.goto(world.address(`sources/${world.sourceId}`));
  await page.getByText('History and versions').click();
  await page.getByLabel('Compare versions').getByText('1 changed').waitFor();
  await shoot(page, 'source-versions');
  await page.goto(world.address('policy'));
  await page.getByLabel('Stale after (days)').fill('5');
  await page.getByRole('button', { name: 'Preview on recent searches' }).click();
  await page.getByRole('heading', { name: /^Effect on the last/ }).waitFor();
  await shoot(page, 'policy-preview');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('policy.updated').waitFor();
  await shoot(page, 'policy');
  await page.goto(world.address('usage'));
  await page.getByText('Syncs as a table').waitFor();
  await shoot(page, 'usage');
  await page.goto(world.address('people'));
  await page.getByText('inviter@example.com').waitFor();
  await shoot(page, 'people');
  await shootRefusals(world, page, shoot);
}

/** States in which the service refuses: another change, the plan, an engine, the session. */
async function shootRefusals(world: WebWorld, page: Page, shoot: Shoot): Promise<void> {
  const client = new ApiClient(world.service.url, world.key);
  await page.goto(world.address('policy'));
  await page.getByLabel('Least top score').fill('0.45');
  await client.expect('PUT', '/policy', { min_evidence_count: 2 });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody else has changed the policy').waitFor();
  await shoot(page, 'policy-changed');
  await world.changePlan('single');
  await page.goto(world.address('search?q=rules+of+discounts'));
  await page.getByText('The plan is used up.').waitFor();
  await shoot(page, 'plan-used-up');
  await world.changePlan('standard');
  const error = 'The search index is unavailable; retry in 10 s';
  await page.route('**/search', (route) =>
    route.fulfill({
      status: 503,
      json: { error, code: 'engine_unavailable', request_id: 'request-1' },
    }),
  );
  await page.goto(world.address('search?q=discount+of+a+cart'));
  await page.getByText('A part of the service is away.').waitFor();
  await shoot(page, 'engine-away');
  await page.unroute('**/search');
  await page.request.post(`${world.service.url}/auth/logout-everywhere`, {
    headers: await world.csrfHeaders(page),
  });
  await page.goto(world.address('search?q=gross+total'));
  await page.getByText('Your session has ended').waitFor();
  await shoot(page, 'session-ended');
}

async function shootStates(world: WebWorld, page: Page, shoot: Shoot): Promise<void> {
  await page.goto(world.address('audit'));
  await page.getByText('State at an earlier time').click();
  await page.getByRole('heading', { name: 'Sources (1)' }).waitFor();
  await page.getByRole('button', { name: 'Verify the trail' }).click();
  await page.getByText('unbroken').waitFor();
  await shoot(page, 'audit');
  await page.getByRole('link', { name: 'receipt and replay' }).first().click();
  await page.getByRole('heading', { name: 'Policy of that time' }).waitFor();
  await shoot(page, 'receipt');
  await page.goto(world.address('people'));
  await page.getByRole('heading', { name: 'No permission' }).waitFor();
  await shoot(page, 'no-permission');
  await page.goto(world.address(`sources/${UNKNOWN}`));
  await page.getByRole('alert').waitFor();
  await shoot(page, 'gone');
  await page.context().setOffline(true);
  await page.goto(world.address(`sources/${world.sourceId}`));
  await page.getByText('No connection.').waitFor();
  await shoot(page, 'offline');
  await page.context().setOffline(false);
  await world.service.stop();
  await page.goto(world.address(`sources/${UNKNOWN}`));
  await page.getByText('The service cannot be reached').waitFor();
  await shoot(page, 'service-stopped');
}

await main(process.argv.slice(2));
