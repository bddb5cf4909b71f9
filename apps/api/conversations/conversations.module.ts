import { Module } from '@nestjs/common';

import { JobsModule } from '../jobs/jobs.module.js';
import { LiveSourcesModule } from '../sources/sources.module.js';
import { WriteModule } from '../write/write.module.js';
import { ConversationKeysModule } from './conversation-keys.module.js';
import { ConversationViews } from './conversation-views.js';
import { ConversationsController } from './conversations.controller.js';
import { Conversations } from './conversations.js';
import { DeleteConversationHandler } from './delete-conversation.js';
import { ConversationDocuments } from './documents/conversation-documents.js';
import { DocumentJobs, WaitingUploads } from './documents/document-jobs.js';
import { GetConversationHandler } from './get-conversation.js';
import { ListConversationsHandler } from './list-conversations.js';
import { RenameConversationHandler } from './rename-conversation.js';
import { StartConversationHandler } from './start-conversation.js';
import { UploadPdfController } from './upload-pdf.controller.js';
import { UploadPdfHandler } from './upload-pdf.js';

/** `/conversations` and `/chat/upload-pdf`: what one person asks and is answered. */
@Module({
  imports: [ConversationKeysModule, JobsModule, LiveSourcesModule, WriteModule],
  controllers: [ConversationsController, UploadPdfController],
  providers: [
    Conversations,
    ConversationViews,
    ConversationDocuments,
    DocumentJobs,
    WaitingUploads,
    UploadPdfHandler,
    StartConversationHandler,
    ListConversationsHandler,
    GetConversationHandler,
    RenameConversationHandler,
    DeleteConversationHandler,
  ],
  exports: [Conversations],
})
export class ConversationsModule {}
