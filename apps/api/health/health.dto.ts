import { ApiProperty } from '@nestjs/swagger';

export class LiveView {
  /** @example 'ok' */
  status: string;
}

export class CheckView {
  /** @example 'followers' */
  name: string;
  ok: boolean;
  /** The problem, or the progress. */
  detail?: string;
}

export class ReadyView {
  @ApiProperty({ enum: ['ready', 'not_ready'] })
  status: 'ready' | 'not_ready';
  checks: CheckView[];
}
