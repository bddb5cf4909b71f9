import { writeFileSync } from 'node:fs';

import { eventsPage } from '#contracts/events/events-page';
import { configurationPage } from '#platform';
import { rankingWeightsPage } from '#retrieval/ranking/ranking-weights-page';

/**
 * `npm run docs`: writes the references that are generated from the code. Tests hold the committed
 * pages to it.
 */
writeFileSync('docs/configuration.md', configurationPage());
writeFileSync('docs/events.md', eventsPage());
writeFileSync('docs/ranking-weights.md', rankingWeightsPage());
