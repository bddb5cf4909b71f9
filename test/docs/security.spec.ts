import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const PAGE = 'docs/security.md';
/** The page with its wrapped list items joined. */
const TEXT = readFileSync(PAGE, 'utf8').replace(/\n {2}(?=\S)/g, ' ');

/** The requirements of levels 1 and 2 in OWASP ASVS 5.0.0, a section each: what its ids end in. */
const REQUIRED: Readonly<Record<string, string>> = {
  '1.1': '1-2',
  '1.2': '1-9',
  '1.3': '1-11',
  '1.4': '1-3',
  '1.5': '1-2',
  '2.1': '1-3',
  '2.2': '1-3',
  '2.3': '1-4',
  '2.4': '1-1',
  '3.2': '1-2',
  '3.3': '1-4',
  '3.4': '1-6',
  '3.5': '1-5',
  '3.7': '1-2',
  '4.1': '1-3',
  '4.2': '1-1',
  '4.3': '1-2',
  '4.4': '1-4',
  '5.1': '1-1',
  '5.2': '1-3',
  '5.3': '1-2',
  '5.4': '1-3',
  '6.1': '1-3',
  '6.2': '1-12',
  '6.3': '1-4',
  '6.4': '1-4',
  '6.5': '1-5',
  '6.6': '1-3',
  '6.8': '1-4',
  '7.1': '1-3',
  '7.2': '1-4',
  '7.3': '1-2',
  '7.4': '1-5',
  '7.5': '1-2',
  '7.6': '1-2',
  '8.1': '1-2',
  '8.2': '1-3',
  '8.3': '1-1',
  '8.4': '1-1',
  '9.1': '1-3',
  '9.2': '1-4',
  '10.1': '1-2',
  '10.2': '1-2',
  '10.3': '1-4',
  '10.4': '1-11',
  '10.5': '1-5',
  '10.6': '1-2',
  '10.7': '1-3',
  '11.1': '1-2',
  '11.2': '1-3',
  '11.3': '1-3',
  '11.4': '1-4',
  '11.5': '1-1',
  '11.6': '1-1',
  '12.1': '1-3',
  '12.2': '1-2',
  '12.3': '1-4',
  '13.1': '1-1',
  '13.2': '1-5',
  '13.3': '1-2',
  '13.4': '1-5',
  '14.1': '1-2',
  '14.2': '1-4',
  '14.3': '1-3',
  '15.1': '1-3',
  '15.2': '1-3',
  '15.3': '1-7',
  '16.1': '1-1',
  '16.2': '1-5',
  '16.3': '1-4',
  '16.4': '1-3',
  '16.5': '1-3',
  '17.1': '1-1',
  '17.2': '1-4',
  '17.3': '1-2',
};
const TOP_TEN = Array.from({ length: 10 }, (_, index) => `API${index + 1}`);
const STATES = ['met', 'partly', 'missing', 'operator', 'n/a'];

interface Line {
  readonly ids: readonly string[];
  readonly state: string;
  readonly because: string;
}

const LINES: readonly Line[] = [
  ...TEXT.matchAll(/^- \*\*([^*]+)\*\* \(([^)]+)\) [^:]+: (.+)\.$/gm),
].map(([, ids = '', state = '', because = '']) => ({
  ids: ids.split(',').map((id) => id.trim()),
  state: state.trim(),
  because: because.trim(),
}));

describe('docs/security.md', () => {
  it('has one line for each requirement, and for none that there is not', () => {
    const required = Object.entries(REQUIRED).flatMap(([section, range]) => {
      const [first = 0, last = 0] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);
    });
    const reported = LINES.flatMap(({ ids }) => ids);
    expect([...reported].sort()).toEqual([...required, ...TOP_TEN].sort());
  });

  it('says of each what its state is and why', () => {
    for (const { ids, state, because } of LINES) {
      expect([ids, STATES.includes(state), because.length > 3]).toEqual([ids, true, true]);
    }
  });

  it('counts right', () => {
    const count = (state: string) =>
      LINES.filter((line) => line.state === state)
        .flatMap(({ ids }) => ids)
        .filter((id) => !TOP_TEN.includes(id)).length;
    expect(TEXT).toContain(
      `In numbers: ${STATES.map((state) => `${count(state)} ${state}`).join(', ')}.`,
    );
  });

  it('names tests that are there, by their names', () => {
    const tests = [...TEXT.matchAll(/\[([^\]]+)\]\((\.\.\/[^)#]+)\)/g)];
    expect(tests.length).toBeGreaterThan(100);
    const wrong = tests.filter(([, title = '', file = '']) => {
      const path = join(dirname(PAGE), file);
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(title);
    });
    expect(wrong.map(([link]) => link)).toEqual([]);
  });

  it('links only to files that are there', () => {
    const links = [...TEXT.matchAll(/\]\((?!https?:)([^)#]*)[^)]*\)/g)].map(
      ([, file = '']) => file,
    );
    expect(links.filter((file) => file !== '' && !existsSync(join(dirname(PAGE), file)))).toEqual(
      [],
    );
  });
});
