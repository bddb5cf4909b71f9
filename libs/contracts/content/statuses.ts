export const JOB_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const SOURCE_STATUSES = ['pending', 'syncing', 'synced', 'error'] as const;
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

/** Status of the source of a package; `dropped` if its content was removed from the cache. */
export const PACKAGE_STATUSES = [...SOURCE_STATUSES, 'dropped'] as const;
export type PackageStatus = (typeof PACKAGE_STATUSES)[number];
