import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT_ROOT } from '#test/support/project-root';

/** A package as a tarball. */
export interface Tarball {
  readonly path: string;
  readonly bytes: number;
  /** Bytes of its files. */
  readonly unpacked: number;
}

/**
 * Packs the package that a tool writes.
 * @param tool script below `tools/`.
 * @throws Error if the tarball lacks a file of the package.
 */
export function packed(tool: string, npm: string, scratch: string): Tarball {
  const folder = join(scratch, tool);
  const target = join(scratch, `${tool}-tarball`);
  mkdirSync(target, { recursive: true });
  execFileSync(process.execPath, [join(PROJECT_ROOT, 'tools', `${tool}.mjs`), folder]);
  const words = [npm, 'pack', folder, '--pack-destination', target, '--json', '--loglevel=error'];
  const output = execFileSync(process.execPath, words, { cwd: scratch, maxBuffer: 64 * 1024 ** 2 });
  const reported: unknown = JSON.parse(output.toString());
  const [{ files }] = Object.values(reported as object) as [
    { readonly files: readonly { readonly path: string; readonly size: number }[] },
  ];
  const [name = ''] = readdirSync(target);
  const path = join(target, name);
  const expected = readdirSync(folder, { withFileTypes: true, recursive: true });
  const count = expected.filter((entry) => entry.isFile()).length;
  if (files.length !== count) throw new Error(`${name} has ${files.length} of ${count} files`);
  const unpacked = files.reduce((sum, { size }) => sum + size, 0);
  return { path, bytes: statSync(path).size, unpacked };
}
