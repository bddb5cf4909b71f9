/** Pushes of providers come here: the signature of each is its credential. */
export const PUSH_ROUTE = '/sources/:source_id/hooks/push';
