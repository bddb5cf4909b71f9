import 'reflect-metadata';

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

import { auditActionsJson, auditActionsPage } from '#audit/catalogue/actions-page';
import { API_VERSION, asyncApiDocument } from '#contracts';
import { eventsPage } from '#contracts/events/events-page';
import { schemaFiles, snapshotBreaks } from '#contracts/events/schema-snapshot';
import { configurationPage } from '#platform';
import { rankingWeightsPage } from '#retrieval/ranking/ranking-weights-page';

/**
 * `npm run docs`: writes the references that are generated from the code. Tests hold the committed
 * pages to it.
 */
writeFileSync('docs/audit-actions.md', auditActionsPage());
writeFileSync('docs/audit-actions.json', auditActionsJson());
writeFileSync('docs/configuration.md', configurationPage());
writeFileSync('docs/events.md', eventsPage());
writeFileSync('docs/ranking-weights.md', rankingWeightsPage());
writeFileSync('docs/asyncapi.json', `${JSON.stringify(asyncApiDocument(API_VERSION), null, 2)}\n`);
writeSchemas('docs/schemas');

/** Writes the schemas of events, unless one has a breaking change without a new version. */
function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const committed = readdirSync(folder).map(
    (name) => [name, readFileSync(`${folder}/${name}`, 'utf8')] as const,
  );
  const breaks = snapshotBreaks(new Map(committed));
  if (breaks.length > 0) {
    console.error(`${folder} was not written:\n${breaks.join('\n')}`);
    process.exitCode = 1;
    return;
  }
  for (const [name, text] of schemaFiles()) writeFileSync(`${folder}/${name}`, text);
}
