/**
 * In the place of a tenant's id on events that are nobody's: what the service notes for itself. No tenant can have it, since
 * theirs are UUIDs; no read model has rows of it, and the feed leaves its events out.
 */
export const SYSTEM_TENANT = 'system';
