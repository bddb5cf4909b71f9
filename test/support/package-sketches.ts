import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { ChunkSketch } from './indexed-source.js';
import { PROJECT_ROOT } from './project-root.js';
import { sketchFiles } from './repository-sketches.js';

const INDEXED = /\.(?:js|cjs|mjs|ts|md|json)$/;

/** Chunks of an npm package as the lockfile pins it, cut as a sync cuts them. */
export async function sketchPackage(name: string): Promise<ChunkSketch[]> {
  const root = join(PROJECT_ROOT, 'node_modules', name);
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => INDEXED.test(path) && !path.includes('node_modules'))
    .sort();
  return sketchFiles(root, paths);
}
