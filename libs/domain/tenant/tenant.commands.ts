export interface CreateTenant {
  readonly type: 'CreateTenant';
  readonly data: { readonly tenant_id: string; readonly name: string };
}

export type TenantCommand = CreateTenant;
