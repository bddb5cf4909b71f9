import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { WEB_UI_FOLDER } from '#apps/api/web-ui/serve-web-ui';
import { PROJECT_ROOT } from '#test/support/project-root';

const KILOBYTE = 1_000;
const MOST_PACKAGES = 12;

/** Returns the bytes of assets as browsers load them. */
function loadedBytes(names: readonly string[]): number {
  return names
    .map((name) => join(WEB_UI_FOLDER, 'assets', name))
    .map((path) => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size)
    .reduce((sum, size) => sum + size, 0);
}

/** Returns the assets with an ending that a page loads at first. */
function firstLoad(page: string, ending: string): readonly string[] {
  const html = readFileSync(join(WEB_UI_FOLDER, page), 'utf8');
  const names = [...html.matchAll(/"\.\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
  const found = names.filter((name) => name.endsWith(ending));
  expect(found).not.toEqual([]);
  return found;
}

/** Returns the packages that the source of the pages imports. */
function runtimePackages(): ReadonlySet<string> {
  const folder = join(PROJECT_ROOT, 'apps/web');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.endsWith('.spec.ts'),
  );
  const imported = files.flatMap((name) =>
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/^(?:import|} from) .*?'([^'.#\n]+)'/gm),
    ].map(([, path = '']) => path),
  );
  return new Set(imported.map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? ''));
}

describe('the size of the built pages', () => {
  it.each(['index.html', 'docs.html'])(
    '%s loads at most 60 kB of scripts and 15 kB of styles with brotli at first',
    (page) => {
      expect(loadedBytes(firstLoad(page, '.js'))).toBeLessThanOrEqual(60 * KILOBYTE);
      expect(loadedBytes(firstLoad(page, '.css'))).toBeLessThanOrEqual(15 * KILOBYTE);
    },
  );

  it('has at most 40 kB of scripts that load later', () => {
    const first = firstLoad('index.html', '.js');
    const later = readdirSync(join(WEB_UI_FOLDER, 'assets')).filter(
      (name) => name.endsWith('.js') && !first.includes(name),
    );
    expect(loadedBytes(later)).toBeLessThanOrEqual(40 * KILOBYTE);
  });

  it('has at most twelve packages', () => {
    const packages = runtimePackages();
    expect(packages).toContain('preact');
    expect(packages.size).toBeLessThanOrEqual(MOST_PACKAGES);
  });
});
