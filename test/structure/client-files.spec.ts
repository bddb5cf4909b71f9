import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { expect, it } from '@jest/globals';

const PRINT = `
import { clientFiles } from './tools/write-client.mjs';
process.stdout.write(JSON.stringify(await clientFiles()));
`;

it('the generated files of the client are those of the document (else: npm run openapi)', () => {
  // The generator starts a formatter of its own, which jest's module loader does not serve.
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', PRINT], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  const files = JSON.parse(text) as Readonly<Record<string, string>>;
  expect(Object.keys(files)).toEqual(['api.types.ts', 'operations.ts']);
  for (const [name, content] of Object.entries(files)) {
    expect(readFileSync(`libs/client/generated/${name}`, 'utf8')).toBe(content);
  }
});
