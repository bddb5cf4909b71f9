import type { CommandBus, QueryBus } from '@nestjs/cqrs';

import type { AgentService } from '#agent-tools';

import { ListAuditEvents } from '../audit/list-audit-events.js';
import type { Caller } from '../auth/caller.js';
import { NavigateCode } from '../code-navigation/navigate-code.js';
import { SearchCode } from '../code-search/search-code.js';
import { CancelJob } from '../jobs/cancel-job.js';
import { GetJob } from '../jobs/get-job.js';
import { AddPackage } from '../packages/add-package.js';
import { SearchPackage } from '../packages/search-package.js';
import { GetReceipt } from '../receipts/get-receipt.js';
import { ReplaySearch } from '../receipts/replay-search.js';
import { CancelRoverJob } from '../rover/cancel-rover-job.js';
import { CreateRoverJob } from '../rover/create-rover-job.js';
import { GetRoverJob } from '../rover/get-rover-job.js';
import { Search } from '../search/search.js';
import { GetSourceFile } from '../source-files/get-source-file.js';
import { GetSourceOutline } from '../source-files/get-source-outline.js';
import { GetSourceTree } from '../source-files/get-source-tree.js';
import { ListSources } from '../sources/list-sources.js';
import { RegisterSource } from '../sources/register-source.js';
import { RequestSync } from '../sources/request-sync.js';
import { GetSourceContent } from '../sources/source-content.js';

/**
 * Returns the calls of the tools as use cases of this process, for one caller. Each is charged,
 * receipted and recorded as the request of the API that it corresponds to.
 *
 * @param gone aborts when nobody waits for an answer any more.
 */
export function busAgentService(
  caller: Caller,
  commands: CommandBus,
  queries: QueryBus,
  gone?: AbortSignal,
): AgentService {
  return {
    search: (request) => queries.execute(new Search(caller, request)),
    searchCode: (request) => queries.execute(new SearchCode(caller, request, gone)),
    symbols: (request) =>
      queries.execute(new NavigateCode(caller, { operation: 'symbols', ...request })),
    definitions: (request) =>
      queries.execute(new NavigateCode(caller, { operation: 'definitions', ...request })),
    outline: (sourceId, wanted) => queries.execute(new GetSourceOutline(caller, sourceId, wanted)),
    listSources: async (page) => (await queries.execute(new ListSources(caller, page))).answer,
    readContent: (sourceId, wanted) =>
      queries.execute(new GetSourceContent(caller, sourceId, wanted)),
    readText: async (sourceId, wanted) =>
      (await queries.execute(new GetSourceFile(caller, sourceId, wanted))).text,
    listFiles: (sourceId, wanted) => queries.execute(new GetSourceTree(caller, sourceId, wanted)),
    searchPackage: (request) => queries.execute(new SearchPackage(caller, request)),
    createRoverJob: async (request) =>
      (await commands.execute(new CreateRoverJob(caller, request))).job,
    getRoverJob: (jobId) => queries.execute(new GetRoverJob(caller, jobId)),
    cancelRoverJob: (jobId) => commands.execute(new CancelRoverJob(caller, jobId)),
    registerSource: (request) => commands.execute(new RegisterSource(caller, request)),
    requestSync: (sourceId) => commands.execute(new RequestSync(caller, sourceId)),
    getJob: (jobId) => queries.execute(new GetJob(caller, jobId)),
    cancelJob: (jobId) => commands.execute(new CancelJob(caller, jobId)),
    addPackage: async (request) => (await commands.execute(new AddPackage(caller, request))).link,
    listAuditEvents: (filter) => queries.execute(new ListAuditEvents(caller, filter)),
    getReceipt: (receiptId) => queries.execute(new GetReceipt(caller, receiptId)),
    replay: (receiptId) => queries.execute(new ReplaySearch(caller, receiptId)),
  };
}
