import { join } from 'node:path';

import { namesIn } from '../store/segment-folder.js';

/** Returns the files of a folder as `<tenant>/<pack hash>`. */
export async function filesIn(directory: string): Promise<string[]> {
  const files: string[] = [];
  for (const tenant of await namesIn(directory))
    for (const name of await namesIn(join(directory, tenant))) files.push(`${tenant}/${name}`);
  return files;
}
