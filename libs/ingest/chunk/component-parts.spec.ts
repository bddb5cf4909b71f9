import { describe, expect, it } from '@jest/globals';

import { threadMilliseconds } from '#test/support/thread-time';

import { componentName, componentParts, scriptsOnly } from './component-parts.js';
import { LineTable } from './line-table.js';

function partsOf(text: string): readonly (readonly [number, number, boolean])[] {
  return componentParts(new LineTable(text)).map(({ first, last, script }) => [
    first,
    last,
    script,
  ]);
}

describe('parts of a component', () => {
  it('are its scripts, styles and templates with their tags, and what stands between', () => {
    const text =
      '<template>\n  <p/>\n</template>\n\n<script>\nlet a;\n</script>\n<p>{a}</p>\n<style>p {}</style>\n';
    expect(partsOf(text)).toEqual([
      [0, 2, false],
      [3, 3, false],
      [4, 6, true],
      [7, 7, false],
      [8, 8, false],
    ]);
  });

  it('end where their own tag is closed: templates and scripts inside of one are part of it', () => {
    expect(
      partsOf(
        '<template>\n  <template v-if="a">\n  </template>\n  <script>x</script>\n</template>\n',
      ),
    ).toEqual([[0, 4, false]]);
  });

  it('take a tag over several lines, and no tag that is never closed', () => {
    expect(partsOf('<script\n  lang="ts">\nlet a;\n</script>\n')).toEqual([[0, 3, true]]);
    expect(partsOf('<script>\nlet a;\n<script>\n')).toEqual([[0, 2, false]]);
    expect(partsOf('')).toEqual([]);
  });

  it('are found in time that grows with the file when no tag is closed', () => {
    const text = '<script>\n<style>\n<template>\n'.repeat(100_000);
    expect(threadMilliseconds(() => expect(partsOf(text)).toHaveLength(1))).toBeLessThan(2_000);
  });

  it('leave of the text its scripts alone, each at its place', () => {
    const text =
      '<p>ä</p>\n<script lang="ts">let a;</script>\n<style>\np {}\n</style>\n<script>\nlet b;\n</script>';
    const lines = new LineTable(text);
    const scripts = scriptsOnly(lines, componentParts(lines));
    expect(scripts).toHaveLength(text.length);
    expect(scripts.split('\n')).toHaveLength(text.split('\n').length);
    expect(scripts.match(/\S+/g)).toEqual(['let', 'a;', 'let', 'b;']);
    expect(scripts.indexOf('let a')).toBe(text.indexOf('let a'));
    expect(scripts.indexOf('let b')).toBe(text.indexOf('let b'));
  });

  it.each([
    ['src/SeatMap.vue', 'SeatMap'],
    ['date-picker.svelte', 'date-picker'],
    ['src/index.vue', undefined],
    ['routes/+page.svelte', undefined],
    ['pages/[id].vue', undefined],
  ])('are named after the file: %s', (path, name) => {
    expect(componentName(path, new LineTable('a\n'))[0]?.name).toBe(name);
  });
});
