// Generated from docs/openapi.json by tools/write-client.mjs; do not edit.
import type { Operation } from '../operation.types.js';
import type * as T from './api.types.js';

/** The operations of the API by group and name: input, answer and errors of each. */
export interface Operations {
  sources: {
    create: Operation<T.SourcesCreateData, T.SourcesCreateResponse, T.SourcesCreateErrors>;
    list: Operation<T.SourcesListData, T.SourcesListResponse, T.SourcesListErrors>;
    upload: Operation<T.SourcesUploadData, T.SourcesUploadResponse, T.SourcesUploadErrors>;
    get: Operation<T.SourcesGetData, T.SourcesGetResponse, T.SourcesGetErrors>;
    update: Operation<T.SourcesUpdateData, T.SourcesUpdateResponse, T.SourcesUpdateErrors>;
    remove: Operation<T.SourcesRemoveData, T.SourcesRemoveResponse, T.SourcesRemoveErrors>;
    history: Operation<T.SourcesHistoryData, T.SourcesHistoryResponse, T.SourcesHistoryErrors>;
    diff: Operation<T.SourcesDiffData, T.SourcesDiffResponse, T.SourcesDiffErrors>;
    sync: Operation<T.SourcesSyncData, T.SourcesSyncResponse, T.SourcesSyncErrors>;
    content: Operation<T.SourcesContentData, T.SourcesContentResponse, T.SourcesContentErrors>;
  };
  sourceFiles: {
    tree: Operation<T.SourcefilesTreeData, T.SourcefilesTreeResponse, T.SourcefilesTreeErrors>;
    outline: Operation<T.SourcefilesOutlineData, T.SourcefilesOutlineResponse, T.SourcefilesOutlineErrors>;
    file: Operation<T.SourcefilesFileData, T.SourcefilesFileResponse | string, T.SourcefilesFileErrors>;
  };
  pushHooks: {
    set: Operation<T.PushhooksSetData, T.PushhooksSetResponse, T.PushhooksSetErrors>;
    remove: Operation<T.PushhooksRemoveData, T.PushhooksRemoveResponse, T.PushhooksRemoveErrors>;
    push: Operation<T.PushhooksPushData, T.PushhooksPushResponse, T.PushhooksPushErrors>;
  };
  jobs: {
    list: Operation<T.JobsListData, T.JobsListResponse, T.JobsListErrors>;
    get: Operation<T.JobsGetData, T.JobsGetResponse, T.JobsGetErrors>;
    cancel: Operation<T.JobsCancelData, T.JobsCancelResponse, T.JobsCancelErrors>;
  };
  codeSearch: {
    get: Operation<T.CodesearchGetData, T.CodesearchGetResponse, T.CodesearchGetErrors>;
    post: Operation<T.CodesearchPostData, T.CodesearchPostResponse, T.CodesearchPostErrors>;
  };
  codeNavigation: {
    symbols: Operation<T.CodenavigationSymbolsData, T.CodenavigationSymbolsResponse, T.CodenavigationSymbolsErrors>;
    definitions: Operation<T.CodenavigationDefinitionsData, T.CodenavigationDefinitionsResponse, T.CodenavigationDefinitionsErrors>;
    references: Operation<T.CodenavigationReferencesData, T.CodenavigationReferencesResponse, T.CodenavigationReferencesErrors>;
  };
  search: {
    get: Operation<T.SearchGetData, T.SearchGetResponse, T.SearchGetErrors>;
    post: Operation<T.SearchPostData, T.SearchPostResponse, T.SearchPostErrors>;
    rmh: Operation<T.SearchRmhData, T.SearchRmhResponse, T.SearchRmhErrors>;
  };
  chat: {
    ask: Operation<T.ChatAskData, T.ChatAskResponse, T.ChatAskErrors>;
  };
  conversations: {
    start: Operation<T.ConversationsStartData, T.ConversationsStartResponse, T.ConversationsStartErrors>;
    list: Operation<T.ConversationsListData, T.ConversationsListResponse, T.ConversationsListErrors>;
    get: Operation<T.ConversationsGetData, T.ConversationsGetResponse, T.ConversationsGetErrors>;
    rename: Operation<T.ConversationsRenameData, T.ConversationsRenameResponse, T.ConversationsRenameErrors>;
    remove: Operation<T.ConversationsRemoveData, T.ConversationsRemoveResponse, T.ConversationsRemoveErrors>;
  };
  uploadPdf: {
    upload: Operation<T.UploadpdfUploadData, T.UploadpdfUploadResponse, T.UploadpdfUploadErrors>;
  };
  packages: {
    get: Operation<T.PackagesGetData, T.PackagesGetResponse, T.PackagesGetErrors>;
    post: Operation<T.PackagesPostData, T.PackagesPostResponse, T.PackagesPostErrors>;
    listGlobal: Operation<T.PackagesListGlobalData, T.PackagesListGlobalResponse, T.PackagesListGlobalErrors>;
    getGlobal: Operation<T.PackagesGetGlobalData, T.PackagesGetGlobalResponse, T.PackagesGetGlobalErrors>;
    add: Operation<T.PackagesAddData, T.PackagesAddResponse, T.PackagesAddErrors>;
    listLinks: Operation<T.PackagesListLinksData, T.PackagesListLinksResponse, T.PackagesListLinksErrors>;
    removeLink: Operation<T.PackagesRemoveLinkData, T.PackagesRemoveLinkResponse, T.PackagesRemoveLinkErrors>;
  };
  packageCode: {
    get: Operation<T.PackagecodeGetData, T.PackagecodeGetResponse, T.PackagecodeGetErrors>;
    post: Operation<T.PackagecodePostData, T.PackagecodePostResponse, T.PackagecodePostErrors>;
  };
  packageFiles: {
    tree: Operation<T.PackagefilesTreeData, T.PackagefilesTreeResponse, T.PackagefilesTreeErrors>;
    file: Operation<T.PackagefilesFileData, T.PackagefilesFileResponse | string, T.PackagefilesFileErrors>;
  };
  packageNavigation: {
    symbols: Operation<T.PackagenavigationSymbolsData, T.PackagenavigationSymbolsResponse, T.PackagenavigationSymbolsErrors>;
    definitions: Operation<T.PackagenavigationDefinitionsData, T.PackagenavigationDefinitionsResponse, T.PackagenavigationDefinitionsErrors>;
    references: Operation<T.PackagenavigationReferencesData, T.PackagenavigationReferencesResponse, T.PackagenavigationReferencesErrors>;
  };
  rover: {
    create: Operation<T.RoverCreateData, T.RoverCreateResponse, T.RoverCreateErrors>;
    list: Operation<T.RoverListData, T.RoverListResponse, T.RoverListErrors>;
    get: Operation<T.RoverGetData, T.RoverGetResponse, T.RoverGetErrors>;
    cancel: Operation<T.RoverCancelData, T.RoverCancelResponse, T.RoverCancelErrors>;
    verify: Operation<T.RoverVerifyData, T.RoverVerifyResponse, T.RoverVerifyErrors>;
  };
  mcp: {
    post: Operation<T.McpPostData, T.McpPostResponse | string, T.McpPostErrors>;
  };
  resourceMetadata: {
    metadata: Operation<T.ResourcemetadataMetadataData, T.ResourcemetadataMetadataResponse, T.ResourcemetadataMetadataErrors>;
  };
  receipts: {
    get: Operation<T.ReceiptsGetData, T.ReceiptsGetResponse, T.ReceiptsGetErrors>;
    replay: Operation<T.ReceiptsReplayData, T.ReceiptsReplayResponse, T.ReceiptsReplayErrors>;
  };
  keys: {
    create: Operation<T.KeysCreateData, T.KeysCreateResponse, T.KeysCreateErrors>;
    list: Operation<T.KeysListData, T.KeysListResponse, T.KeysListErrors>;
    revoke: Operation<T.KeysRevokeData, T.KeysRevokeResponse, T.KeysRevokeErrors>;
  };
  auth: {
    register: Operation<T.AuthRegisterData, T.AuthRegisterResponse, T.AuthRegisterErrors>;
    methods: Operation<T.AuthMethodsData, T.AuthMethodsResponse, T.AuthMethodsErrors>;
    login: Operation<T.AuthLoginData, T.AuthLoginResponse, T.AuthLoginErrors>;
    logout: Operation<T.AuthLogoutData, T.AuthLogoutResponse, T.AuthLogoutErrors>;
    logoutEverywhere: Operation<T.AuthLogoutEverywhereData, T.AuthLogoutEverywhereResponse, T.AuthLogoutEverywhereErrors>;
    show: Operation<T.AuthShowData, T.AuthShowResponse, T.AuthShowErrors>;
    update: Operation<T.AuthUpdateData, T.AuthUpdateResponse, T.AuthUpdateErrors>;
    erase: Operation<T.AuthEraseData, T.AuthEraseResponse, T.AuthEraseErrors>;
    password: Operation<T.AuthPasswordData, T.AuthPasswordResponse, T.AuthPasswordErrors>;
  };
  members: {
    list: Operation<T.MembersListData, T.MembersListResponse, T.MembersListErrors>;
    change: Operation<T.MembersChangeData, T.MembersChangeResponse, T.MembersChangeErrors>;
    remove: Operation<T.MembersRemoveData, T.MembersRemoveResponse, T.MembersRemoveErrors>;
  };
  invitations: {
    issue: Operation<T.InvitationsIssueData, T.InvitationsIssueResponse, T.InvitationsIssueErrors>;
    list: Operation<T.InvitationsListData, T.InvitationsListResponse, T.InvitationsListErrors>;
    revoke: Operation<T.InvitationsRevokeData, T.InvitationsRevokeResponse, T.InvitationsRevokeErrors>;
  };
  accept: {
    accept: Operation<T.AcceptAcceptData, T.AcceptAcceptResponse, T.AcceptAcceptErrors>;
  };
  policy: {
    get: Operation<T.PolicyGetData, T.PolicyGetResponse, T.PolicyGetErrors>;
    update: Operation<T.PolicyUpdateData, T.PolicyUpdateResponse, T.PolicyUpdateErrors>;
    reset: Operation<T.PolicyResetData, T.PolicyResetResponse, T.PolicyResetErrors>;
    history: Operation<T.PolicyHistoryData, T.PolicyHistoryResponse, T.PolicyHistoryErrors>;
    diff: Operation<T.PolicyDiffData, T.PolicyDiffResponse, T.PolicyDiffErrors>;
    rollback: Operation<T.PolicyRollbackData, T.PolicyRollbackResponse, T.PolicyRollbackErrors>;
  };
  policySimulation: {
    simulate: Operation<T.PolicysimulationSimulateData, T.PolicysimulationSimulateResponse, T.PolicysimulationSimulateErrors>;
  };
  analytics: {
    searches: Operation<T.AnalyticsSearchesData, T.AnalyticsSearchesResponse, T.AnalyticsSearchesErrors>;
    noEvidence: Operation<T.AnalyticsNoEvidenceData, T.AnalyticsNoEvidenceResponse, T.AnalyticsNoEvidenceErrors>;
    staleHits: Operation<T.AnalyticsStaleHitsData, T.AnalyticsStaleHitsResponse, T.AnalyticsStaleHitsErrors>;
    usage: Operation<T.AnalyticsUsageData, T.AnalyticsUsageResponse, T.AnalyticsUsageErrors>;
    jobs: Operation<T.AnalyticsJobsData, T.AnalyticsJobsResponse, T.AnalyticsJobsErrors>;
  };
  audit: {
    list: Operation<T.AuditListData, T.AuditListResponse, T.AuditListErrors>;
    get: Operation<T.AuditGetData, T.AuditGetResponse, T.AuditGetErrors>;
  };
  auditProofs: {
    checkpoints: Operation<T.AuditproofsCheckpointsData, T.AuditproofsCheckpointsResponse, T.AuditproofsCheckpointsErrors>;
    sign: Operation<T.AuditproofsSignData, T.AuditproofsSignResponse, T.AuditproofsSignErrors>;
    keys: Operation<T.AuditproofsKeysData, T.AuditproofsKeysResponse, T.AuditproofsKeysErrors>;
    proof: Operation<T.AuditproofsProofData, T.AuditproofsProofResponse, T.AuditproofsProofErrors>;
    consistency: Operation<T.AuditproofsConsistencyData, T.AuditproofsConsistencyResponse, T.AuditproofsConsistencyErrors>;
    verify: Operation<T.AuditproofsVerifyData, T.AuditproofsVerifyResponse, T.AuditproofsVerifyErrors>;
    verifyCheckpoint: Operation<T.AuditproofsVerifyCheckpointData, T.AuditproofsVerifyCheckpointResponse, T.AuditproofsVerifyCheckpointErrors>;
  };
  auditLog: {
    checkpoint: Operation<T.AuditlogCheckpointData, T.AuditlogCheckpointResponse, T.AuditlogCheckpointErrors>;
    tile: Operation<T.AuditlogTileData, T.AuditlogTileResponse, T.AuditlogTileErrors>;
  };
  auditExport: {
    export: Operation<T.AuditexportExportData, T.AuditexportExportResponse, T.AuditexportExportErrors>;
  };
  feed: {
    list: Operation<T.FeedListData, T.FeedListResponse, T.FeedListErrors>;
  };
  webhooks: {
    create: Operation<T.WebhooksCreateData, T.WebhooksCreateResponse, T.WebhooksCreateErrors>;
    list: Operation<T.WebhooksListData, T.WebhooksListResponse, T.WebhooksListErrors>;
    get: Operation<T.WebhooksGetData, T.WebhooksGetResponse, T.WebhooksGetErrors>;
    update: Operation<T.WebhooksUpdateData, T.WebhooksUpdateResponse, T.WebhooksUpdateErrors>;
    remove: Operation<T.WebhooksRemoveData, T.WebhooksRemoveResponse, T.WebhooksRemoveErrors>;
    test: Operation<T.WebhooksTestData, T.WebhooksTestResponse, T.WebhooksTestErrors>;
    rotate: Operation<T.WebhooksRotateData, T.WebhooksRotateResponse, T.WebhooksRotateErrors>;
    deliveries: Operation<T.WebhooksDeliveriesData, T.WebhooksDeliveriesResponse, T.WebhooksDeliveriesErrors>;
    redeliver: Operation<T.WebhooksRedeliverData, T.WebhooksRedeliverResponse, T.WebhooksRedeliverErrors>;
  };
  tenant: {
    erase: Operation<T.TenantEraseData, T.TenantEraseResponse, T.TenantEraseErrors>;
  };
  legalHold: {
    get: Operation<T.LegalholdGetData, T.LegalholdGetResponse, T.LegalholdGetErrors>;
    set: Operation<T.LegalholdSetData, T.LegalholdSetResponse, T.LegalholdSetErrors>;
    release: Operation<T.LegalholdReleaseData, T.LegalholdReleaseResponse, T.LegalholdReleaseErrors>;
  };
  quota: {
    get: Operation<T.QuotaGetData, T.QuotaGetResponse, T.QuotaGetErrors>;
    usage: Operation<T.QuotaUsageData, T.QuotaUsageResponse, T.QuotaUsageErrors>;
  };
  health: {
    live: Operation<T.HealthLiveData, T.HealthLiveResponse, T.HealthLiveErrors>;
    ready: Operation<T.HealthReadyData, T.HealthReadyResponse, T.HealthReadyErrors>;
  };
  metrics: {
    text: Operation<T.MetricsTextData, T.MetricsTextResponse, T.MetricsTextErrors>;
  };
  root: {
    root: Operation<T.RootRootData, T.RootRootResponse, T.RootRootErrors>;
  };
  schemas: {
    schema: Operation<T.SchemasSchemaData, T.SchemasSchemaResponse, T.SchemasSchemaErrors>;
    asyncApi: Operation<T.SchemasAsyncApiData, T.SchemasAsyncApiResponse, T.SchemasAsyncApiErrors>;
  };
  scip: {
    upload: Operation<T.ScipUploadData, T.ScipUploadResponse, T.ScipUploadErrors>;
    list: Operation<T.ScipListData, T.ScipListResponse, T.ScipListErrors>;
    remove: Operation<T.ScipRemoveData, T.ScipRemoveResponse, T.ScipRemoveErrors>;
  };
}

/** Methods, paths and forms of the operations. */
export const OPERATIONS = {
  sources: {
    create: {"method":"POST","path":"/sources","body":"json","repeatable":true},
    list: {"method":"GET","path":"/sources"},
    upload: {"method":"POST","path":"/sources/upload","body":"form","repeatable":true},
    get: {"method":"GET","path":"/sources/{source_id}"},
    update: {"method":"PATCH","path":"/sources/{source_id}","body":"json"},
    remove: {"method":"DELETE","path":"/sources/{source_id}"},
    history: {"method":"GET","path":"/sources/{source_id}/history"},
    diff: {"method":"GET","path":"/sources/{source_id}/diff"},
    sync: {"method":"POST","path":"/sources/{source_id}/sync","repeatable":true},
    content: {"method":"GET","path":"/sources/{source_id}/content"},
  },
  sourceFiles: {
    tree: {"method":"GET","path":"/sources/{source_id}/tree"},
    outline: {"method":"GET","path":"/sources/{source_id}/outline"},
    file: {"method":"GET","path":"/sources/{source_id}/files"},
  },
  pushHooks: {
    set: {"method":"POST","path":"/sources/{source_id}/hooks","repeatable":true},
    remove: {"method":"DELETE","path":"/sources/{source_id}/hooks"},
    push: {"method":"POST","path":"/sources/{source_id}/hooks/push","body":"json"},
  },
  jobs: {
    list: {"method":"GET","path":"/jobs"},
    get: {"method":"GET","path":"/jobs/{job_id}"},
    cancel: {"method":"POST","path":"/jobs/{job_id}/cancel"},
  },
  codeSearch: {
    get: {"method":"GET","path":"/search/code"},
    post: {"method":"POST","path":"/search/code","body":"json"},
  },
  codeNavigation: {
    symbols: {"method":"GET","path":"/symbols"},
    definitions: {"method":"GET","path":"/definitions"},
    references: {"method":"GET","path":"/references"},
  },
  search: {
    get: {"method":"GET","path":"/search"},
    post: {"method":"POST","path":"/search","body":"json"},
    rmh: {"method":"POST","path":"/search/rmh","body":"json"},
  },
  chat: {
    ask: {"method":"POST","path":"/chat","body":"json"},
  },
  conversations: {
    start: {"method":"POST","path":"/conversations","body":"json","repeatable":true},
    list: {"method":"GET","path":"/conversations"},
    get: {"method":"GET","path":"/conversations/{conversation_id}"},
    rename: {"method":"PATCH","path":"/conversations/{conversation_id}","body":"json"},
    remove: {"method":"DELETE","path":"/conversations/{conversation_id}"},
  },
  uploadPdf: {
    upload: {"method":"POST","path":"/chat/upload-pdf","body":"form","repeatable":true},
  },
  packages: {
    get: {"method":"GET","path":"/packages/search"},
    post: {"method":"POST","path":"/packages/search","body":"json"},
    listGlobal: {"method":"GET","path":"/packages/global"},
    getGlobal: {"method":"GET","path":"/packages/global/{package_id}"},
    add: {"method":"POST","path":"/packages/add","body":"json","repeatable":true},
    listLinks: {"method":"GET","path":"/packages/my-packages"},
    removeLink: {"method":"DELETE","path":"/packages/my-packages/{link_id}"},
  },
  packageCode: {
    get: {"method":"GET","path":"/packages/search/code"},
    post: {"method":"POST","path":"/packages/search/code","body":"json"},
  },
  packageFiles: {
    tree: {"method":"GET","path":"/packages/tree"},
    file: {"method":"GET","path":"/packages/files"},
  },
  packageNavigation: {
    symbols: {"method":"GET","path":"/packages/symbols"},
    definitions: {"method":"GET","path":"/packages/definitions"},
    references: {"method":"GET","path":"/packages/references"},
  },
  rover: {
    create: {"method":"POST","path":"/rover/jobs","body":"json","repeatable":true},
    list: {"method":"GET","path":"/rover/jobs"},
    get: {"method":"GET","path":"/rover/jobs/{rover_job_id}"},
    cancel: {"method":"DELETE","path":"/rover/jobs/{rover_job_id}"},
    verify: {"method":"POST","path":"/rover/jobs/{rover_job_id}/verify"},
  },
  mcp: {
    post: {"method":"POST","path":"/mcp","body":"json"},
  },
  resourceMetadata: {
    metadata: {"method":"GET","path":"/.well-known/oauth-protected-resource/mcp"},
  },
  receipts: {
    get: {"method":"GET","path":"/receipts/{receipt_id}"},
    replay: {"method":"POST","path":"/receipts/{receipt_id}/replay"},
  },
  keys: {
    create: {"method":"POST","path":"/keys","body":"json","repeatable":true},
    list: {"method":"GET","path":"/keys"},
    revoke: {"method":"DELETE","path":"/keys/{key_id}"},
  },
  auth: {
    register: {"method":"POST","path":"/auth/register","body":"json","repeatable":true},
    methods: {"method":"GET","path":"/auth/methods"},
    login: {"method":"POST","path":"/auth/login","body":"json"},
    logout: {"method":"POST","path":"/auth/logout"},
    logoutEverywhere: {"method":"POST","path":"/auth/logout-everywhere"},
    show: {"method":"GET","path":"/auth/me"},
    update: {"method":"PATCH","path":"/auth/me","body":"json"},
    erase: {"method":"DELETE","path":"/auth/me","body":"json"},
    password: {"method":"POST","path":"/auth/password","body":"json"},
  },
  members: {
    list: {"method":"GET","path":"/members"},
    change: {"method":"PATCH","path":"/members/{user_id}","body":"json"},
    remove: {"method":"DELETE","path":"/members/{user_id}"},
  },
  invitations: {
    issue: {"method":"POST","path":"/invitations","body":"json","repeatable":true},
    list: {"method":"GET","path":"/invitations"},
    revoke: {"method":"DELETE","path":"/invitations/{invitation_id}"},
  },
  accept: {
    accept: {"method":"POST","path":"/auth/accept","body":"json"},
  },
  policy: {
    get: {"method":"GET","path":"/policy"},
    update: {"method":"PUT","path":"/policy","body":"json"},
    reset: {"method":"POST","path":"/policy/reset"},
    history: {"method":"GET","path":"/policy/history"},
    diff: {"method":"GET","path":"/policy/diff"},
    rollback: {"method":"POST","path":"/policy/rollback","body":"json"},
  },
  policySimulation: {
    simulate: {"method":"POST","path":"/policy/simulate","body":"json"},
  },
  analytics: {
    searches: {"method":"GET","path":"/analytics/searches"},
    noEvidence: {"method":"GET","path":"/analytics/no-evidence"},
    staleHits: {"method":"GET","path":"/analytics/stale-hits"},
    usage: {"method":"GET","path":"/analytics/usage"},
    jobs: {"method":"GET","path":"/analytics/jobs"},
  },
  audit: {
    list: {"method":"GET","path":"/audit/events"},
    get: {"method":"GET","path":"/audit/events/{event_id}"},
  },
  auditProofs: {
    checkpoints: {"method":"GET","path":"/audit/checkpoints"},
    sign: {"method":"POST","path":"/audit/checkpoints"},
    keys: {"method":"GET","path":"/audit/keys"},
    proof: {"method":"GET","path":"/audit/proof"},
    consistency: {"method":"GET","path":"/audit/consistency"},
    verify: {"method":"GET","path":"/audit/verify"},
    verifyCheckpoint: {"method":"POST","path":"/audit/verify","body":"json"},
  },
  auditLog: {
    checkpoint: {"method":"GET","path":"/audit/log/checkpoint"},
    tile: {"method":"GET","path":"/audit/log/tile/{path}"},
  },
  auditExport: {
    export: {"method":"GET","path":"/audit/export"},
  },
  feed: {
    list: {"method":"GET","path":"/events"},
  },
  webhooks: {
    create: {"method":"POST","path":"/webhooks","body":"json","repeatable":true},
    list: {"method":"GET","path":"/webhooks"},
    get: {"method":"GET","path":"/webhooks/{webhook_id}"},
    update: {"method":"PATCH","path":"/webhooks/{webhook_id}","body":"json"},
    remove: {"method":"DELETE","path":"/webhooks/{webhook_id}"},
    test: {"method":"POST","path":"/webhooks/{webhook_id}/test"},
    rotate: {"method":"POST","path":"/webhooks/{webhook_id}/rotate-secret"},
    deliveries: {"method":"GET","path":"/webhooks/{webhook_id}/deliveries"},
    redeliver: {"method":"POST","path":"/webhooks/{webhook_id}/deliveries/{event_id}/redeliver"},
  },
  tenant: {
    erase: {"method":"DELETE","path":"/tenant","body":"json"},
  },
  legalHold: {
    get: {"method":"GET","path":"/legal-hold"},
    set: {"method":"PUT","path":"/legal-hold","body":"json"},
    release: {"method":"DELETE","path":"/legal-hold","body":"json"},
  },
  quota: {
    get: {"method":"GET","path":"/quota"},
    usage: {"method":"GET","path":"/quota/usage"},
  },
  health: {
    live: {"method":"GET","path":"/health/live"},
    ready: {"method":"GET","path":"/health/ready"},
  },
  metrics: {
    text: {"method":"GET","path":"/metrics"},
  },
  root: {
    root: {"method":"GET","path":"/"},
  },
  schemas: {
    schema: {"method":"GET","path":"/schemas/{event_type}/{version}"},
    asyncApi: {"method":"GET","path":"/asyncapi.json"},
  },
  scip: {
    upload: {"method":"PUT","path":"/sources/{source_id}/scip","body":"bytes"},
    list: {"method":"GET","path":"/sources/{source_id}/scip"},
    remove: {"method":"DELETE","path":"/sources/{source_id}/scip"},
  },
} as const;
