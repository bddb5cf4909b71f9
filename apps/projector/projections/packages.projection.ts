import { packagesTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

/** The catalogue. The row of a package's source shows how far it is indexed. */
export const packagesProjection = defineProjection({
  name: 'packages',
  version: 1,
  table: packagesTable,
  handles: ['PackageRegistered', 'PackageDescribed', 'PackageDropped', 'PackageRestored'],
  keyOf: (event) => [event.tenant_id, event.data.package_id],
  evolve: (row, event) => {
    const { tenant_id, position, occurred_at: updated_at } = event;
    switch (event.type) {
      case 'PackageRegistered':
        return (
          row ?? {
            tenant_id,
            position,
            ...event.data,
            held: true,
            created_at: updated_at,
            updated_at,
          }
        );
      case 'PackageDescribed':
        return row && { ...row, ...event.data, updated_at };
      case 'PackageDropped':
        return row && { ...row, held: false, updated_at };
      case 'PackageRestored':
        return row && { ...row, held: true, source_id: event.data.source_id, updated_at };
    }
  },
});
