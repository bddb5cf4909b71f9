import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDTHS = [1280, 320];
const SCHEMES = ['light', 'dark'] as const;

/**
 * Collects logged errors, thrown errors, dialogs, and requests to other hosts than `origin`.
 * Chromium logs violations of the content security policy as errors.
 */
export function watchProblems(page: Page, origin: string): readonly string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:') problems.push(`request: ${url.href}`);
  });
  return problems;
}

/** Returns the axe violations and overflows of the page in both themes and at both widths. */
export async function accessProblems(page: Page, name: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      const state = `${name}, ${width} px, ${colorScheme}`;
      for (const { id, nodes } of violations) problems.push(`${state}: ${id} ${nodes[0]?.html}`);
      const isWide = await page.evaluate<boolean>(
        'document.documentElement.scrollWidth > window.innerWidth',
      );
      if (isWide) problems.push(`${state}: overflows`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return problems;
}
