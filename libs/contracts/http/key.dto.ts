import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { KEY_SCOPES, type KeyScope } from '../events/api-key.events.js';
import { ChoiceList } from './validation/list.js';
import { QueryFlag } from './validation/number.js';
import { Optional } from './validation/rule.js';
import { Text } from './validation/text.js';
import { Timestamp } from './validation/timestamp.js';

export class CreateKeyBody {
  /** Human-readable name. */
  @Text({ max: 100, kind: 'name' })
  @ApiProperty({ example: 'ci' })
  name: string;

  /**
   * Time when the key stops working: no later than the key of the request does, which is the
   * default. If the key of the request has no end, the default is no end.
   */
  @Optional()
  @Timestamp()
  expires_at?: string;

  /** Rights of the key. Default `read` and `write`. */
  @Optional()
  @ChoiceList(...KEY_SCOPES)
  scopes?: KeyScope[];
}

export class RevokeKeyQuery {
  /** Revoke the key though no other of the tenant could make a new one. Default false. */
  @Optional()
  @QueryFlag()
  force?: boolean;
}

/**
 * A new key. The secret is shown here and never again; a repeated request with the same
 * Idempotency-Key leaves it out.
 */
export class IssuedKeyView {
  id: string;
  name: string;
  /** The first characters of the secret. */
  prefix: string;
  @ApiProperty({ type: [String], enum: [...KEY_SCOPES] })
  scopes: KeyScope[];
  /** The secret. */
  @ApiPropertyOptional({ example: 'fnt_Jf0v…' })
  key?: string;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at: string | null;
}

/** A key without its secret. */
export class KeyView {
  id: string;
  name: string;
  prefix: string;
  @ApiProperty({ type: [String], enum: [...KEY_SCOPES] })
  scopes: readonly KeyScope[];
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at: string | null;
  /**
   * The last use that the answering process saw, shown at once. Of uses that others saw it shows
   * the first in each hour (UTC), within a second or so. Null where it never was used.
   */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_used_at: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revoked_at: string | null;
}

export class KeyList {
  keys: KeyView[];
  total: number;
}
