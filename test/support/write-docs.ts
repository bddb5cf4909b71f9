import 'reflect-metadata';

import { writeFileSync } from 'node:fs';

import { auditActionsJson, auditActionsPage } from '#audit/catalogue/actions-page';
import { API_VERSION, asyncApiDocument } from '#contracts';
import { eventsPage } from '#contracts/events/events-page';
import { configurationPage } from '#platform';
import { rankingWeightsPage } from '#retrieval/ranking/ranking-weights-page';

import { writeSchemas } from './write-schemas.js';

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
const breaks = writeSchemas('docs/schemas');
if (breaks.length > 0) {
  console.error(`docs/schemas was not written:\n${breaks.join('\n')}`);
  process.exitCode = 1;
}
