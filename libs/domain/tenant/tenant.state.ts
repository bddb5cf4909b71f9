export type TenantState =
  { readonly status: 'absent' } | { readonly status: 'active'; readonly tenant_id: string; readonly name: string };
