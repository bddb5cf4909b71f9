import { ApiProperty } from '@nestjs/swagger';

import { SeqPageQuery } from './page.dto.js';
import { Optional } from './validation/rule.js';
import { Text } from './validation/text.js';

/** A page of the tenant's event feed. */
export class ListFeedEventsQuery extends SeqPageQuery {
  /** Only events of these types, separated by commas. Default: all. */
  @Optional()
  @Text({ max: 2_000 })
  @ApiProperty({ example: 'SourceRegistered,PolicyUpdated' })
  types?: string;
}

/** An event of the tenant as a CloudEvent 1.0. */
export class FeedEventView {
  @ApiProperty({ enum: ['1.0'] })
  specversion: '1.0';
  /** Id of the event; a repeated event has the same. */
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: '/footnote' })
  source: string;
  @ApiProperty({ example: 'PolicyUpdated' })
  type: string;
  /** Stream of the event. */
  subject: string;
  /** By the writer's clock. */
  @ApiProperty({ format: 'date-time' })
  time: string;
  @ApiProperty({ enum: ['application/json'] })
  datacontenttype: 'application/json';
  /** Identifier of the JSON Schema of `data`, which `GET /schemas/{type}/{version}` returns. */
  @ApiProperty({ example: 'urn:footnote:event:PolicyUpdated:1' })
  dataschema: string;
  @ApiProperty({ format: 'uuid' })
  tenantid: string;
  /** Number of the tenant's earlier events, with leading zeros: string order is log order. */
  @ApiProperty({ example: '0000000000000041' })
  sequence: string;
  /** Number of earlier events of the stream. */
  @ApiProperty({ example: '3' })
  streamrevision: string;
  /** Version of the schema that `data` was written with. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  schemaversion: number;
  correlationid: string;
  causationid: string;
  /** Data of the event without digests and other withheld fields. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data: Readonly<Record<string, unknown>>;
}

export class FeedEventPage {
  @ApiProperty({ type: [FeedEventView] })
  events: readonly FeedEventView[];
  /** The `after` of the next request; null before the first event. */
  @ApiProperty({ type: 'integer', nullable: true })
  next: number | null;
  /** True if newer events wait; request them now. */
  has_more: boolean;
}
