import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** The address for pushes of a provider, and the secret that signs them. */
export class PushHookView {
  /**
   * @example 'https://footnote.example.com/sources/019bc0de-5c1e-7d52-9f0a-3a8f6f0f9a11/hooks/push'
   */
  url: string;
  /** Shown here and never again; a repeated request with the same Idempotency-Key leaves it out. */
  @ApiPropertyOptional({ example: 'whsec_Jf0v…' })
  secret?: string;
}

const PUSH_STATUSES = ['started', 'queued', 'repeated', 'ignored', 'pong'] as const;
export type PushStatus = (typeof PUSH_STATUSES)[number];

/** The result of a delivery. */
export class PushAnswer {
  /**
   * `queued`: a sync runs and one more follows it; `repeated`: the delivery was taken before, and
   * nothing follows again.
   */
  @ApiProperty({ enum: [...PUSH_STATUSES] })
  status: PushStatus;
  /** In words, such as why nothing followed. */
  message: string;
  /** The sync that was started. */
  job_id?: string;
}
