import { describe, expect, it } from '@jest/globals';

import { pageLinks } from '#ingest/html/page-links';
import { pageUrl } from '#ingest/html/page-url';
import { parseRobots } from '#ingest/html/parse-robots';
import { parseSitemap } from '#ingest/html/parse-sitemap';
import { TimeSlices } from '#platform';
import { countedSlices, countTurns } from '#test/support/turn-counter';

/** Files of rules that make other readers try every rule at every place of a path, by size. */
const ROBOTS: Readonly<Record<string, (size: number) => string>> = {
  'a run of wildcards': (size) => `Disallow: /${'*'.repeat(size)}x`,
  'wildcards between letters': (size) => `Disallow: /${'*a'.repeat(size / 2)}x`,
  'many rules with wildcards': (size) => 'Disallow: /*a*a*a*a*a*a*a*a*x\n'.repeat(size / 30),
  'many rules that differ': (size) =>
    lines(size / 20, (at) => `Disallow: /${'a'.repeat(at % 1_000)}${at}`),
  'a rule for each length': (size) =>
    lines(Math.sqrt(size), (at) => `Disallow: /${'a'.repeat(at)}`),
  'ends of lines': (size) => '\n\r'.repeat(size / 2),
  'one long line': (size) => 'x'.repeat(size),
};

const SITEMAPS: Readonly<Record<string, (size: number) => string>> = {
  'empty elements': (size) => `<urlset>${'<x/>'.repeat(size / 4)}`,
  attributes: (size) => `<urlset><x ${'a '.repeat(size / 2)}/>`,
  'one address': (size) => `<urlset><url><loc>${'a'.repeat(size)}</loc></url>`,
  addresses: (size) => `<urlset>${'<url><loc>/</loc></url>'.repeat(size / 23)}`,
  'nested elements': (size) => '<x>'.repeat(size / 3),
  'a comment': (size) => `<!--${'-'.repeat(size)}-->`,
  entities: (size) => `<urlset><url><loc>${'&amp;'.repeat(size / 5)}</loc></url>`,
  'white space': (size) => ' '.repeat(size),
  'a plain list': (size) => 'https://a.example/\n'.repeat(size / 19),
  'one line': (size) => 'a'.repeat(size),
};

const PAGES: Readonly<Record<string, (size: number) => string>> = {
  'short links': (size) => '<a href=b>'.repeat(size / 10),
  'parameters of campaigns': (size) =>
    `<a href="?${lines(200, (at) => `utm_a${at}&`)}">`.repeat(size / 2_000),
  'tags without an end': (size) => '<a '.repeat(size / 3),
  attributes: (size) => `<a ${'href=b '.repeat(size / 7)}>`,
  'meta elements': (size) => '<meta name=robots content=noarchive>'.repeat(size / 36),
};

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, at) => line(at)).join('\n');
}

describe('a hostile robots.txt', () => {
  it.each(Object.entries(ROBOTS))(
    'costs bounded work for a URL, and yields: %s',
    async (_, build) => {
      const { slices, looks } = countedSlices(20);
      const stepsAt = async (size: number): Promise<number> => {
        const { rules } = await parseRobots(`User-agent: *\n${build(size)}`, 'footnote', slices);
        await rules.allows(`/${'a'.repeat(1_800)}`, slices);
        return rules.steps;
      };
      const { result, turns } = await countTurns(async () => [
        await stepsAt(60_000),
        await stepsAt(500_000),
      ]);
      // Words of the automaton for each character, and a look-up for each length that a rule has.
      for (const steps of result) expect(steps).toBeLessThanOrEqual(1_801 * 512 + 1_000 * 1_000);
      expect(turns).toBeGreaterThanOrEqual(Math.floor(looks() / 100));
    },
  );
});

describe('a hostile sitemap', () => {
  const BLOCK = 4_096;

  it.each(Object.entries(SITEMAPS))('is read in blocks that yield: %s', async (_, build) => {
    const bytes = Buffer.from(build(1_000_000));
    const { slices, looks } = countedSlices(1);
    const budget = { bytes: 2_000_000 };
    const { turns } = await countTurns(() => parseSitemap([bytes], budget, slices));
    const blocks = Math.floor((2_000_000 - budget.bytes) / BLOCK);
    expect(looks()).toBeGreaterThanOrEqual(blocks);
    expect(turns).toBeGreaterThanOrEqual(blocks);
  });

  it('ends with the addresses that the format allows, and says so', async () => {
    const read = (count: number) =>
      parseSitemap(
        [Buffer.from(`<urlset>${'<url><loc>/a</loc></url>'.repeat(count)}</urlset>`)],
        { bytes: 10_000_000 },
        new TimeSlices(),
      );
    const whole = await read(50_000);
    expect([whole.pages.length, whole.isCut]).toEqual([50_000, false]);
    const cut = await read(60_000);
    expect([cut.pages.length, cut.isCut]).toEqual([50_000, true]);
  });

  it('ends with the bytes that a sync may read, however many sitemaps there are', async () => {
    const budget = { bytes: 100_000 };
    const bytes = Buffer.from(`<urlset>${'<url><loc>/a</loc></url>'.repeat(3_000)}</urlset>`);
    expect((await parseSitemap([bytes], budget, new TimeSlices())).isCut).toBe(false);
    expect((await parseSitemap([bytes], budget, new TimeSlices())).isCut).toBe(true);
    expect(budget.bytes).toBeGreaterThanOrEqual(0);
  });
});

describe('a hostile page', () => {
  it.each(Object.entries(PAGES))(
    'is scanned for links in blocks that yield: %s',
    async (_, build) => {
      const html = build(200_000);
      const { slices, looks } = countedSlices(1);
      const { turns } = await countTurns(() =>
        pageLinks(Buffer.from(html), 'utf-8', 'https://docs.example/', slices),
      );
      expect(looks()).toBeGreaterThanOrEqual(Math.floor(html.length / 4_096));
      expect(turns).toBeGreaterThanOrEqual(Math.floor(html.length / 4_096));
    },
  );

  it('has its parameters of campaigns cut off at once', () => {
    const noise = Array.from({ length: 200 }, (_, at) => `utm_${at}=`).join('&');
    expect(pageUrl(`https://docs.example/a?${noise}&b=1%20&utm_x`)).toBe(
      'https://docs.example/a?b=1+',
    );
    expect(pageUrl(`https://docs.example/a?${noise}`)).toBe('https://docs.example/a');
  });
});
