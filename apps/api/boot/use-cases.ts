import type { Type } from '@nestjs/common';

import { CancelJob, CancelJobHandler } from '../jobs/cancel-job.js';
import { GetJob, GetJobHandler } from '../jobs/get-job.js';
import { ListJobs, ListJobsHandler } from '../jobs/list-jobs.js';
import { IssueKey, IssueKeyHandler } from '../keys/issue-key.js';
import { ListKeys, ListKeysHandler } from '../keys/list-keys.js';
import { RevokeKey, RevokeKeyHandler } from '../keys/revoke-key.js';
import { ChangePolicy, ChangePolicyHandler } from '../policy/change-policy.js';
import { GetPolicy, GetPolicyHandler } from '../policy/get-policy.js';
import { GetReceipt, GetReceiptHandler } from '../receipts/get-receipt.js';
import { ReplaySearch, ReplaySearchHandler } from '../receipts/replay-search.js';
import { SearchMultiHop, SearchMultiHopHandler } from '../search/search-multi-hop.js';
import { Search, SearchHandler } from '../search/search.js';
import { GetSource, GetSourceHandler } from '../sources/get-source.js';
import { ListSources, ListSourcesHandler } from '../sources/list-sources.js';
import { RegisterSource, RegisterSourceHandler } from '../sources/register-source.js';
import { RemoveSource, RemoveSourceHandler } from '../sources/remove-source.js';
import { RequestSync, RequestSyncHandler } from '../sources/request-sync.js';
import { GetSourceContent, GetSourceContentHandler } from '../sources/source-content.js';
import { UpdateSource, UpdateSourceHandler } from '../sources/update-source.js';

/** Every command and query of the API. The start-up check holds this list and the handlers together. */
export const USE_CASES: readonly Type<unknown>[] = [
  CancelJob,
  GetJob,
  ListJobs,
  IssueKey,
  ListKeys,
  RevokeKey,
  ChangePolicy,
  GetPolicy,
  Search,
  SearchMultiHop,
  GetReceipt,
  ReplaySearch,
  GetSource,
  ListSources,
  RegisterSource,
  RemoveSource,
  RequestSync,
  GetSourceContent,
  UpdateSource,
] as Type<unknown>[];

export const USE_CASE_HANDLERS: readonly Type<unknown>[] = [
  CancelJobHandler,
  GetJobHandler,
  ListJobsHandler,
  IssueKeyHandler,
  ListKeysHandler,
  RevokeKeyHandler,
  ChangePolicyHandler,
  GetPolicyHandler,
  SearchHandler,
  SearchMultiHopHandler,
  GetReceiptHandler,
  ReplaySearchHandler,
  GetSourceHandler,
  ListSourcesHandler,
  RegisterSourceHandler,
  RemoveSourceHandler,
  RequestSyncHandler,
  GetSourceContentHandler,
  UpdateSourceHandler,
];
