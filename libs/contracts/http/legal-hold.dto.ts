import { ApiProperty } from '@nestjs/swagger';

import { ACTOR_TYPES } from './audit.dto.js';
import { Text } from './validation/text.js';

export class ChangeLegalHoldBody {
  /** Reason of the change, such as a case number. It is sealed with the key of the tenant. */
  @Text({ max: 500 })
  @ApiProperty({ example: 'Case 2026-14' })
  reason: string;
}

/** The actor that changed a legal hold. */
export class LegalHoldActor {
  @ApiProperty({ enum: [...ACTOR_TYPES] })
  type: string;
  id: string;
}

export class LegalHoldView {
  /** True while nothing of the tenant is erased or dropped. */
  active: boolean;
  /** Reason of the last change; null if there was none. */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  changed_at: string | null;
  @ApiProperty({ type: LegalHoldActor, nullable: true })
  changed_by: LegalHoldActor | null;
}
