import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { RegistrySite } from '#test/support/packages/registry-site';

import type { MeasuredRelease } from './questions.js';

const DOWNLOAD_MS = 240_000;

/**
 * Real releases, fetched by the clients of their ecosystems as this machine has them set up, and
 * served again on loopback.
 */
export async function localRegistry(
  releases: readonly MeasuredRelease[],
  folder: string,
  say: (line: string) => void,
): Promise<{ readonly site: RegistrySite; readonly served: readonly MeasuredRelease[] }> {
  const site = await RegistrySite.start();
  const served: MeasuredRelease[] = [];
  for (const [at, release] of releases.entries()) {
    const target = join(folder, `release-${at}`);
    mkdirSync(target, { recursive: true });
    const { name, version, ecosystem } = release;
    const file = ecosystem === 'npm' ? npmPack(release, target) : pipDownload(release, target);
    if (file === undefined) {
      say(`${name} ${version} cannot be had here`);
      continue;
    }
    const content = readFileSync(join(target, file));
    if (ecosystem === 'npm') site.npm(name, { [version]: { content } });
    else site.pypi(name, { [version]: { files: [{ filename: file, content }] } });
    served.push(release);
  }
  return { site, served };
}

function npmPack({ name, version }: MeasuredRelease, folder: string): string | undefined {
  run('npm', ['pack', '--silent', `${name}@${version}`], folder);
  return readdirSync(folder).find((file) => file.endsWith('.tgz'));
}

function pipDownload({ name, version }: MeasuredRelease, folder: string): string | undefined {
  run(
    'pip',
    [
      'download',
      '--quiet',
      '--no-deps',
      '--only-binary',
      ':all:',
      '--dest',
      '.',
      `${name}==${version}`,
    ],
    folder,
  );
  return readdirSync(folder).find((file) => file.endsWith('.whl'));
}

function run(command: string, parts: readonly string[], cwd: string): void {
  spawnSync(command, [...parts], { cwd, stdio: 'ignore', timeout: DOWNLOAD_MS });
}
