import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

/** Beginnings of file names by which a list refers to a stream, for streams of every layer. */
const STREAMS = ['conversation', 'job', 'package', 'polic', 'quota', 'source'];
/** A file that imports files of this many of them is a list of streams. */
const LEAST_STREAMS = 5;

const PAGE = readFileSync('docs/how-to/add-a-stream.md', 'utf8');

function listsOfStreams(): string[] {
  return ['apps', 'libs']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
        `${folder}/${path}`.replaceAll('\\', '/'),
      ),
    )
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .filter((path) => {
      const imported = [...readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(
        ([, specifier = '']) => specifier.slice(specifier.lastIndexOf('/') + 1),
      );
      const named = STREAMS.filter((name) => imported.some((file) => file.startsWith(name)));
      return named.includes('conversation') && named.length >= LEAST_STREAMS;
    })
    .sort();
}

describe('the recipe for a stream', () => {
  const lists = listsOfStreams();

  it('has at most eight lists to edit', () => {
    expect(lists).toEqual([
      'apps/api/api.module.ts',
      'apps/projector/projections/projections.ts',
      'libs/contracts/events/catalogue.ts',
      'libs/contracts/http/index.ts',
      'libs/contracts/index.ts',
      'libs/domain/index.ts',
      'libs/read-model/index.ts',
      'libs/read-model/tables/tables.ts',
    ]);
  });

  it.each(lists)('names %s', (path) => {
    expect(PAGE).toContain(`\`${path}\``);
  });
});
