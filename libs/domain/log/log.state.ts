export type LogState = { readonly status: 'absent' } | { readonly status: 'created'; readonly log_id: string };
