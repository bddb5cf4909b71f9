import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createChunker, isSkipped, parseFile } from '#ingest';

import type { ChunkSketch } from './indexed-source.js';

const GRAMMARS = fileURLToPath(new URL('../../grammars', import.meta.url));

/** Chunks of files, cut as a sync cuts them; files that a sync would skip give none. */
export async function sketchFiles(root: string, paths: readonly string[]): Promise<ChunkSketch[]> {
  const chunker = await createChunker({ grammarsDirectory: GRAMMARS });
  try {
    return paths.flatMap((path) => {
      const document = parseFile({ path, kind: 'file', bytes: readFileSync(join(root, path)) });
      if (isSkipped(document)) return [];
      return chunker
        .chunk(document)
        .map(({ content, ordinal, symbol, defs, language }): ChunkSketch => {
          return {
            path,
            text: content,
            ordinal,
            defs,
            language,
            ...(symbol !== undefined && { symbol }),
          };
        });
    });
  } finally {
    chunker.close();
  }
}

/** Files that git knows below a folder. */
export function trackedFiles(root: string, ...folders: readonly string[]): string[] {
  const listing = execFileSync('git', ['-C', root, 'ls-files', '-z', '--', ...folders], {
    encoding: 'utf8',
  });
  return listing.split('\0').filter((path) => path !== '');
}
