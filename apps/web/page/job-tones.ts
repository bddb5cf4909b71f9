/** Tones of the statuses of syncs and of research. */
export const JOB_TONES = {
  completed: 'good',
  failed: 'bad',
  running: 'warn',
  pending: 'plain',
  cancelled: 'plain',
} as const;
