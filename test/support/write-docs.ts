import { writeFileSync } from 'node:fs';

import { auditActionsJson, auditActionsPage } from '#audit/catalogue/actions-page';
import { eventsPage } from '#contracts/events/events-page';
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
