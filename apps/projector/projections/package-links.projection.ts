import { packageLinksTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

/** Links from tenants to packages, now and at any position in the log. */
export const packageLinksProjection = defineProjection({
  name: 'package_links',
  version: 1,
  table: packageLinksTable,
  handles: ['PackageLinked', 'PackageUnlinked'],
  keyOf: (event) => [event.tenant_id, event.data.link_id, event.data.episode],
  evolve: (row, event) => {
    const { tenant_id, position, occurred_at: created_at } = event;
    switch (event.type) {
      case 'PackageLinked':
        return row ?? { tenant_id, position, ...event.data, removed_position: null, created_at };
      case 'PackageUnlinked':
        return row && { ...row, removed_position: row.removed_position ?? position };
    }
  },
});
