import { type LogBinding, parseLogId } from '#platform';

import type { IndexLayout } from './index-layout.js';
import type { SearchServer } from './server.js';

interface Mapping {
  readonly mappings: { readonly _meta?: { readonly log_id?: string } };
}

/**
 * Binding of an index to its log, stored in the mapping of the records, so it exists exactly as
 * long as they do. An index without records is empty, because rows without a record are invisible.
 */
export function indexBinding(server: SearchServer, layout: IndexLayout): LogBinding {
  const mapping = `/${layout.records}/_mapping`;
  return {
    boundTo: async () => {
      const { status, body } = await server.request<Readonly<Record<string, Mapping>>>({
        method: 'GET',
        path: mapping,
        accept: [404],
      });
      const found = status === 404 ? undefined : Object.values(body)[0]?.mappings._meta?.log_id;
      return found === undefined ? null : parseLogId(found, `The index ${layout.records}`);
    },
    bind: async (log) => {
      await layout.ensureRecords();
      await server.request({ method: 'PUT', path: mapping, body: { _meta: { log_id: log } } });
    },
    isEmpty: async () => {
      const refreshed = await server.request({
        method: 'POST',
        path: `/${layout.records}/_refresh`,
        accept: [404],
      });
      if (refreshed.status === 404) return true;
      const { body } = await server.request<{ readonly count: number }>({
        method: 'GET',
        path: `/${layout.records}/_count`,
      });
      return body.count === 0;
    },
  };
}
