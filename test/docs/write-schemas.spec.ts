import { readdirSync, readFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';
import { writeSchemas } from '#test/support/write-schemas';

const FIRST = 'PolicyReset.v1.json';
const SECOND = 'TenantCreated.v1.json';
const schema = (fields: readonly string[]) =>
  JSON.stringify({
    type: 'object',
    properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
    required: fields,
  });

describe('the schemas that npm run docs writes', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  const write = (first: readonly string[], second: readonly string[]) =>
    writeSchemas(
      `${folder.path}/schemas`,
      new Map([
        [FIRST, schema(first)],
        [SECOND, schema(second)],
      ]),
    );
  const written = () =>
    readdirSync(`${folder.path}/schemas`)
      .toSorted()
      .map((name) => [name, readFileSync(`${folder.path}/schemas/${name}`, 'utf8')]);

  it('are all events of this version', () => {
    expect(writeSchemas(`${folder.path}/schemas`)).toEqual([]);
    expect(written().map(([name]) => name)).toEqual(readdirSync('docs/schemas').toSorted());
  });

  it('stay as they are if one has a breaking change, and the change is named', () => {
    expect(write(['a', 'b'], ['a'])).toEqual([]);
    const before = written();
    const breaks = write(['a'], ['a', 'c']);
    expect(breaks.length).toBeGreaterThan(0);
    for (const change of breaks) expect(change).toContain('raise the version in defineEvent()');
    expect(breaks.join()).toContain(FIRST);
    expect(written()).toEqual(before);
  });
});
