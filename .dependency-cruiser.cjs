/** The libraries, and the libraries that each may import (docs/architecture.md). */
const libraries = {
  contracts: [],
  client: [],
  'agent-tools': ['contracts', 'retrieval'],
  domain: ['contracts'],
  audit: ['contracts', 'domain'],
  retrieval: ['contracts'],
  research: ['contracts', 'retrieval'],
  platform: ['contracts'],
  'event-store': ['contracts', 'platform'],
  'read-model': ['contracts', 'platform'],
  queue: ['contracts', 'platform'],
  'search-index': ['contracts', 'retrieval', 'platform'],
  'code-search': ['contracts', 'platform', 'ingest', 'search-index'],
  ingest: ['contracts', 'platform'],
  models: ['contracts', 'retrieval', 'platform'],
  search: ['contracts', 'retrieval', 'platform', 'search-index', 'code-search', 'ingest', 'models'],
  transparency: ['contracts', 'domain', 'audit', 'platform', 'event-store', 'read-model'],
  distil: ['contracts', 'retrieval', 'platform', 'ingest', 'models'],
  engines: [
    'contracts',
    'domain',
    'platform',
    'event-store',
    'read-model',
    'queue',
    'search-index',
    'models',
  ],
};

/** The libraries that each app may import; the apps that it may start. */
const apps = {
  api: { libs: Object.keys(libraries) },
  projector: {
    libs: [
      'audit',
      'contracts',
      'domain',
      'engines',
      'event-store',
      'read-model',
      'search-index',
      'queue',
      'platform',
      'ingest/redact',
    ],
  },
  pipeline: { libs: Object.keys(libraries) },
  mcp: { libs: ['agent-tools', 'client', 'contracts', 'platform/config', 'ingest/chunk'] },
  cli: {
    libs: ['agent-tools', 'audit', 'client', 'contracts', 'platform/config', 'ingest/chunk'],
    apps: ['mcp'],
  },
  web: { libs: ['contracts/http'] },
  witness: { libs: ['audit', 'contracts', 'domain', 'platform'] },
  standalone: { libs: Object.keys(libraries), apps: ['api', 'projector', 'pipeline'] },
};

/** `#library` imports resolve to the build output, relative ones to the source. */
const built = '^(dist/)?';

const libRules = Object.entries(libraries).map(([library, allowed]) => ({
  name: `libs-${library}`,
  severity: 'error',
  comment: `libs/${library} may import ${allowed.length ? allowed.join(', ') : 'no other library'}.`,
  from: { path: `^libs/${library}/`, pathNot: '\\.spec\\.ts$' },
  to: {
    path: `${built}(apps|libs|test)/`,
    pathNot: `${built}libs/(${[library, ...allowed].join('|')})/`,
  },
}));

const appRules = Object.entries(apps).map(([app, { libs, apps: started = [] }]) => ({
  name: `apps-${app}`,
  severity: 'error',
  comment: `apps/${app} may import ${[...libs, ...started].join(', ')}.`,
  from: { path: `^apps/${app}/`, pathNot: '\\.spec\\.ts$' },
  to: {
    path: `${built}(apps|libs)/`,
    pathNot: `${built}(apps/(${[app, ...started].join('|')})|libs/(${libs.join('|')}))/`,
  },
}));

module.exports = {
  forbidden: [
    ...libRules,
    ...appRules,
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'The domain knows no framework and does no I/O.',
      from: { path: '^libs/(domain|retrieval)/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/zod' },
    },
    {
      name: 'audit-is-pure',
      severity: 'error',
      comment: 'The audit trail hashes and signs, and does no I/O.',
      from: { path: '^libs/audit/', pathNot: '\\.spec\\.ts$' },
      to: {
        dependencyTypes: ['npm', 'core'],
        pathNot: '^(node:)?crypto$|node_modules/canonicalize',
      },
    },
    {
      name: 'research-is-pure',
      severity: 'error',
      comment: 'The planner and the answer of research hash citations, and do no I/O.',
      from: { path: '^libs/research/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: '^(node:)?crypto$|node_modules/zod' },
    },
    {
      name: 'products-do-not-import-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '\\.spec\\.ts$' },
      to: { path: `${built}test/` },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...[
      { from: '^apps/api/[^/]+/', to: '^apps/api/[^/]+$' },
      { from: '^apps/api/([^/]+)/[^/]+/', to: '^apps/api/$1/[^/]+$' },
    ].map(({ from, to }) => ({
      name: 'no-way-up',
      severity: 'error',
      comment:
        'A folder counts as one with those inside it (tools/folder-cycles.mjs): what is inside does not import what is around.',
      from: { path: from },
      to: { path: to },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['import', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js'],
    },
  },
};
