import { join } from 'node:path';

import { Controller, Inject, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { UploadedPdfView, UploadPdfForm } from '#contracts/http/index';
import type { Config } from '#platform';

import { SignedIn } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';
import { Idempotent } from '../openapi/idempotent.js';
import { Problems } from '../openapi/problem-responses.js';
import { receiveUpload } from '../sources/upload/receive-upload.js';
import { UploadPdf } from './upload-pdf.js';

@ApiTags('chat')
@SignedIn()
@Controller('chat/upload-pdf')
export class UploadPdfController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Puts a PDF into a conversation: its turns find it, nothing else does, and it goes with the
   * conversation.
   */
  @Post()
  @Idempotent()
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: UploadPdfForm })
  @Problems(
    'sign_in_required',
    'role_missing',
    'csrf_invalid',
    'conversation_not_found',
    'conversation_full',
    'quota_exceeded',
    'rate_limited',
    'bad_request',
    'idempotency_key_reused',
    'concurrent_change',
    'body_too_large',
    'unsupported_media_type',
    'upload_timeout',
    'storage_full',
  )
  async upload(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<UploadedPdfView> {
    const { limits, dataDir } = this.config;
    const folder = join(dataDir, 'scratch', 'uploads');
    const upload = await receiveUpload(request, {
      maxBytes: limits.maxUploadBytes,
      folder,
      conversation: true,
    });
    try {
      return await this.commands.execute(
        new UploadPdf(caller, upload.conversationId ?? '', upload),
      );
    } finally {
      await upload.file.close();
    }
  }
}
