import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

import { schemaFiles, snapshotBreaks } from '#contracts/events/schema-snapshot';

/**
 * Writes the schemas of events, unless one has a breaking change without a new version.
 * @returns the breaking changes; nothing was written if there is one.
 */
export function writeSchemas(
  folder: string,
  files: ReadonlyMap<string, string> = schemaFiles(),
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const committed = readdirSync(folder).map(
    (name) => [name, readFileSync(`${folder}/${name}`, 'utf8')] as const,
  );
  const breaks = snapshotBreaks(new Map(committed), files);
  if (breaks.length > 0) return breaks;
  for (const [name, text] of files) writeFileSync(`${folder}/${name}`, text);
  return [];
}
