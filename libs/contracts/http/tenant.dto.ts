import { ApiProperty } from '@nestjs/swagger';

import { Text } from './validation/text.js';

export class EraseTenantBody {
  /**
   * The name or the id of the tenant, to show that it is meant: what is erased cannot come back.
   */
  @Text({ max: 200 })
  @ApiProperty({ example: 'Acme' })
  confirm: string;
}

export class TenantErasureView {
  tenant_id: string;
  /**
   * From now on every credential of the tenant is refused; what it had is destroyed in the
   * background.
   */
  @ApiProperty({ enum: ['erasing'] })
  status: 'erasing';
  @ApiProperty({ format: 'date-time' })
  requested_at: string;
}

export class EraseMeBody {
  /**
   * The address or the id of the account, to show that it is meant: what is erased cannot come
   * back.
   */
  @Text({ max: 320 })
  @ApiProperty({ example: 'ada@example.com' })
  confirm: string;
}
