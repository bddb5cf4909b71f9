export interface CreateLog {
  readonly type: 'CreateLog';
  readonly data: { readonly log_id: string };
}

export type LogCommand = CreateLog;
