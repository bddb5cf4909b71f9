import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';

import {
  AuditConsistencyQuery,
  AuditConsistencyView,
  AuditKeyList,
  AuditProofQuery,
  AuditProofView,
  CheckpointList,
  CheckpointVerification,
  CheckpointView,
  ListCheckpointsQuery,
  TrailVerification,
  VerifyCheckpointBody,
  VerifyTrailQuery,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { ListAuditKeys, ListCheckpoints } from './checkpoints/list-checkpoints.js';
import { ProveConsistency, ProveRecord } from './checkpoints/prove.js';
import { SignHead } from './checkpoints/sign-checkpoint.js';
import { VerifyCheckpoint } from './checkpoints/verify-checkpoint.js';
import { VerifyTrail } from './checkpoints/verify-trail.js';

@ApiTags('audit')
@Controller('audit')
@NeedsScope('audit')
export class AuditProofsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the signed checkpoints of the tenant's tree, the newest first. */
  @Get('checkpoints')
  @Problems('scope_missing')
  checkpoints(
    @CurrentCaller() caller: Caller,
    @Query() query: ListCheckpointsQuery,
  ): Promise<CheckpointList> {
    return this.queries.execute(new ListCheckpoints(caller, query));
  }

  /** Signs the head of the tree now; returns the last checkpoint if nothing came since. */
  @Post('checkpoints')
  @HttpCode(200)
  @Problems('scope_missing', 'audit_trail_altered', 'audit_key_missing', 'concurrent_change')
  sign(@CurrentCaller() caller: Caller): Promise<CheckpointView> {
    return this.commands.execute(new SignHead(caller));
  }

  /** Lists the public keys that verify checkpoints, the oldest first. */
  @Get('keys')
  @Problems('scope_missing')
  keys(@CurrentCaller() caller: Caller): Promise<AuditKeyList> {
    return this.queries.execute(new ListAuditKeys(caller));
  }

  /** Proves that a record is in the tree of a size. */
  @Get('proof')
  @Problems('scope_missing')
  proof(@CurrentCaller() caller: Caller, @Query() query: AuditProofQuery): Promise<AuditProofView> {
    return this.queries.execute(new ProveRecord(caller, query));
  }

  /** Proves that the tree of one size begins the tree of another. */
  @Get('consistency')
  @Problems('scope_missing')
  consistency(
    @CurrentCaller() caller: Caller,
    @Query() query: AuditConsistencyQuery,
  ): Promise<AuditConsistencyView> {
    return this.queries.execute(new ProveConsistency(caller, query));
  }

  /** Checks up to 1,000 records of the trail against the log and the signed checkpoints. */
  @Get('verify')
  @Problems('scope_missing')
  verify(
    @CurrentCaller() caller: Caller,
    @Query() query: VerifyTrailQuery,
  ): Promise<TrailVerification> {
    return this.queries.execute(new VerifyTrail(caller, query));
  }

  /** Checks a checkpoint that the caller kept. */
  @Post('verify')
  @HttpCode(200)
  @Problems('scope_missing', 'malformed_json', 'unsupported_media_type')
  verifyCheckpoint(
    @CurrentCaller() caller: Caller,
    @Body() body: VerifyCheckpointBody,
  ): Promise<CheckpointVerification> {
    return this.queries.execute(new VerifyCheckpoint(caller, body.checkpoint));
  }
}
