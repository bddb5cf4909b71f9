import type { CommandBus, QueryBus } from '@nestjs/cqrs';

import type { AgentService } from '#agent-tools';
import {
  AddPackageBody,
  CodeSearchBody,
  CreateRoverJobBody,
  CreateSourceBody,
  PackageCodeSearchBody,
  PackageFileQuery,
  PackageSearchBody,
  PackageTreeQuery,
  SearchBody,
} from '#contracts/http/index';

import { ListAuditEvents } from '../audit/list-audit-events.js';
import type { Caller } from '../auth/caller.js';
import { FindDefinitions } from '../code-navigation/find-definitions.js';
import { FindReferences } from '../code-navigation/find-references.js';
import { SearchCode } from '../code-search/search-code.js';
import { StrictValidationPipe } from '../edge/strict-validation.pipe.js';
import { CancelJob } from '../jobs/cancel-job.js';
import { GetJob } from '../jobs/get-job.js';
import { AddPackage } from '../packages/add-package.js';
import { GetPackageFile } from '../packages/get-package-file.js';
import { GetPackageTree } from '../packages/get-package-tree.js';
import { SearchPackage } from '../packages/search-package.js';
import { SearchPackageCode } from '../packages/search-package-code.js';
import { GetReceipt } from '../receipts/get-receipt.js';
import { ReplaySearch } from '../receipts/replay-search.js';
import { CancelRoverJob } from '../rover/cancel-rover-job.js';
import { CreateRoverJob } from '../rover/create-rover-job.js';
import { GetRoverJob } from '../rover/get-rover-job.js';
import { Search } from '../search/search.js';
import { fileLines, lineRangeOf } from '../source-files/file-lines.js';
import { GetSourceFile } from '../source-files/get-source-file.js';
import { GetSourceOutline } from '../source-files/get-source-outline.js';
import { GetSourceTree } from '../source-files/get-source-tree.js';
import { ListSources } from '../sources/list-sources.js';
import { RegisterSource } from '../sources/register-source.js';
import { RequestSync } from '../sources/request-sync.js';
import { GetSourceContent } from '../sources/source-content.js';

/**
 * Returns the calls of the tools as use cases of this process, for one caller. Each is charged,
 * checked, receipted and recorded as the request of the API that it corresponds to.
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
    search: async (request) =>
      queries.execute(new Search(caller, await checked(SearchBody, request))),
    searchCode: async (request) =>
      queries.execute(new SearchCode(caller, await checked(CodeSearchBody, request), { gone })),
    symbols: (request) =>
      queries.execute(new FindDefinitions(caller, { operation: 'symbols', ...request }, gone)),
    definitions: (request) =>
      queries.execute(new FindDefinitions(caller, { operation: 'definitions', ...request }, gone)),
    references: (request) =>
      queries.execute(new FindReferences(caller, { operation: 'references', ...request }, gone)),
    outline: (sourceId, wanted) => queries.execute(new GetSourceOutline(caller, sourceId, wanted)),
    listSources: async (page) => (await queries.execute(new ListSources(caller, page))).answer,
    readContent: (sourceId, wanted) =>
      queries.execute(new GetSourceContent(caller, sourceId, wanted)),
    readText: async (sourceId, wanted) =>
      (await queries.execute(new GetSourceFile(caller, sourceId, wanted))).text,
    listFiles: (sourceId, wanted) => queries.execute(new GetSourceTree(caller, sourceId, wanted)),
    searchPackage: async (request) =>
      queries.execute(new SearchPackage(caller, await checked(PackageSearchBody, request))),
    searchPackageCode: async (request) =>
      queries.execute(
        new SearchPackageCode(caller, await checked(PackageCodeSearchBody, request), { gone }),
      ),
    readPackageFile: async (request) => {
      const wanted = await checked(PackageFileQuery, request);
      const range = lineRangeOf(wanted);
      const { file, release } = await queries.execute(new GetPackageFile(caller, wanted));
      return { ...fileLines(file, range), ...release };
    },
    listPackageFiles: async (request) =>
      queries.execute(new GetPackageTree(caller, await checked(PackageTreeQuery, request))),
    createRoverJob: async (request) =>
      (
        await commands.execute(
          new CreateRoverJob(caller, await checked(CreateRoverJobBody, request)),
        )
      ).job,
    getRoverJob: (jobId) => queries.execute(new GetRoverJob(caller, jobId)),
    cancelRoverJob: (jobId) => commands.execute(new CancelRoverJob(caller, jobId)),
    registerSource: async (request) =>
      commands.execute(new RegisterSource(caller, await checked(CreateSourceBody, request))),
    requestSync: (sourceId) => commands.execute(new RequestSync(caller, sourceId)),
    getJob: (jobId) => queries.execute(new GetJob(caller, jobId)),
    cancelJob: (jobId) => commands.execute(new CancelJob(caller, jobId)),
    addPackage: async (request) =>
      (await commands.execute(new AddPackage(caller, await checked(AddPackageBody, request)))).link,
    listAuditEvents: (filter) => queries.execute(new ListAuditEvents(caller, filter)),
    getReceipt: (receiptId) => queries.execute(new GetReceipt(caller, receiptId)),
    replay: (receiptId) => queries.execute(new ReplaySearch(caller, receiptId)),
  };
}

const validation = new StrictValidationPipe();

/**
 * Applies the rules of the API to a request: schemas of tools leave some out, such as control
 * characters in names. @throws FootnoteError `validation_failed`
 */
async function checked<Body extends object>(type: new () => Body, body: Body): Promise<Body> {
  return (await validation.transform({ ...body }, { type: 'body', metatype: type })) as Body;
}
