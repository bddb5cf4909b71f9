import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { TimeSlices } from '#platform';

import { parseRobots } from './parse-robots.js';
import { LONGEST_PATTERN, MOST_WILDCARD_CHARACTERS } from './robots-rules.js';

type Oracle = {
  isAllowed(url: string, agent: string): boolean;
  getCrawlDelay(agent: string): number | undefined;
};
const oracleOf = createRequire(import.meta.url)('robots-parser') as (
  url: string,
  text: string,
) => Oracle;

const ORIGIN = 'https://docs.example';

async function read(text: string) {
  const { rules, crawlDelay } = await parseRobots(text, 'footnote', new TimeSlices());
  return { crawlDelay, allows: (path: string) => rules.allows(path, new TimeSlices()) };
}

describe('the rules of a robots.txt', () => {
  it('decide as another reader of robots.txt does', async () => {
    const agents = fc.constantFrom('*', 'Footnote', 'footnote/1.0', 'other', 'Footnotes', '');
    const pattern = fc
      .array(fc.constantFrom('/', 'a', 'b', '*', '$', 'ü', '%c3%bc', '?', '#', ' '), {
        maxLength: 6,
      })
      .map((all) => all.join('').replace(/\*+/g, '*'));
    const line = fc.oneof(
      agents.map((agent) => `User-agent: ${agent}`),
      pattern.map((rule) => `Disallow: /${rule}`),
      pattern.map((rule) => `allow:${rule}`),
      fc.constantFrom(
        '',
        'Crawl-delay: 2',
        'crawl-delay: x',
        'nonsense',
        'Sitemap: /x',
        '# remark',
        ': x',
      ),
    );
    const text = fc.tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n', '\r'));
    const path = fc
      .array(fc.constantFrom('/', 'a', 'b', '%C3%BC', '?', '$', '*'), { maxLength: 7 })
      .map((all) => new URL(`${ORIGIN}/${all.join('')}`));
    await fc.assert(
      fc.asyncProperty(text, path, async ([lines, ending], { href, pathname, search }) => {
        const robots = lines.join(ending);
        const oracle = oracleOf(`${ORIGIN}/robots.txt`, robots);
        const rules = await read(robots);
        expect(await rules.allows(pathname + search)).toBe(oracle.isAllowed(href, 'Footnote'));
        expect(rules.crawlDelay).toBe(oracle.getCrawlDelay('Footnote'));
      }),
      { numRuns: 3_000 },
    );
  });

  it('count a run of wildcards as one', async () => {
    const { allows } = await read(`User-agent: *\nDisallow: /${'*'.repeat(500_000)}x`);
    expect(await allows(`/${'a'.repeat(1_800)}x`)).toBe(false);
    expect(await allows(`/${'a'.repeat(1_800)}`)).toBe(true);
  });

  it('cover more when a pattern that forbids is too long, and less when one allows', async () => {
    const long = `*${'a'.repeat(LONGEST_PATTERN)}`;
    const { allows } = await read(
      `User-agent: *\nDisallow: /private/${long}\nAllow: /private/open/${long}`,
    );
    expect(await allows('/private/open/x')).toBe(false);
    expect(await allows('/public')).toBe(true);
  });

  it('cover more when wildcards are too many, and less when one allows', async () => {
    const rules = Array.from(
      { length: MOST_WILDCARD_CHARACTERS / 32 },
      (_, at) => `/${at}/*${'x'.repeat(32)}`,
    );
    const late = [`Disallow: /late/*${'y'.repeat(64)}`, `Allow: /late/open*${'y'.repeat(64)}`];
    const { allows } = await read(
      ['User-agent: *', ...rules.map((rule) => `Disallow: ${rule}`), ...late].join('\n'),
    );
    expect(await allows('/0/page')).toBe(true);
    expect(await allows(`/0/${'x'.repeat(32)}`)).toBe(false);
    expect(await allows('/late/open.html')).toBe(false);
  });
});
