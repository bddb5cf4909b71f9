import { KEY_SCOPES } from '#contracts';
import type { MeView } from '#contracts/http/index';
import { newApiKeySecret } from '#platform';

import { ApiClient, type SourceView } from './api-client.js';
import { TestRepository } from './git-repository.js';
import { linesAt, writePdf } from './pdf/pdf-writer.js';
import { Person } from './person.js';
import { plausibleFiles } from './plausible-files.js';
import { type ServiceOptions, ServiceProcess } from './service-process.js';
import { WebSite } from './web-site.js';

/** Every canary begins with it. */
export const MARKER = 'zqcanary';

/** A text of each kind that a tenant gives to the service. No one is part of another. */
export const CANARIES = {
  gitFile: `${MARKER}ingitfile`,
  changedGitFile: `${MARKER}inchangedfile`,
  page: `${MARKER}inpage`,
  specification: `${MARKER}inspecification`,
  uploadedPdf: `${MARKER}inuploadedpdf`,
  pdfAtUrl: `${MARKER}inpdfaturl`,
  conversationPdf: `${MARKER}inconversationpdf`,
  searchQuery: `${MARKER}insearchquery`,
  chatQuery: `${MARKER}inchatquery`,
  conversationTitle: `${MARKER}inconversationtitle`,
  token: `${MARKER}intoken`,
  keyName: `${MARKER}inkeyname`,
  sourceName: `${MARKER}insourcename`,
  fileName: `${MARKER}infilename`,
} as const;
export type CanaryKind = keyof typeof CANARIES;

const FILES = 60;
const SYNC_MS = 180_000;

/**
 * A tenant that gave the service a canary of each kind, in a data folder of a service that was
 * stopped.
 */
export interface CanaryTenant {
  readonly id: string;
  /** An API key that has all scopes. */
  readonly key: string;
  /** The source whose next sync reads changed files. */
  readonly repositoryId: string;
  readonly options: ServiceOptions;
  close(): Promise<void>;
}

/**
 * Fills a data folder: every source is synced, and then a third of the files of the repository
 * changes.
 */
export async function plantCanaries(scratch: string): Promise<CanaryTenant> {
  const site = await WebSite.start(pages());
  const repository = TestRepository.create(`${scratch}/repository`, files(CANARIES.gitFile));
  const options: ServiceOptions = {
    dataDir: `${scratch}/prepared`,
    key: newApiKeySecret().secret,
    environment: {
      ALLOW_PRIVATE_NETWORKS: 'true',
      ALLOW_REGISTRATION: 'true',
      CRAWL_DELAY_MS: '0',
      JWT_SECRET: 'the secret of this test is long enough to sign with',
    },
  };
  const service = await ServiceProcess.start(options);
  try {
    const person = await new Person(service.url).register('ada@example.com');
    const issued = await person.call<{ key: string }>('POST', '/keys', {
      name: CANARIES.keyName,
      scopes: KEY_SCOPES,
    });
    const api = new ApiClient(service.url, issued.body.key);
    const repositoryId = await plantSources(api, site, repository);
    await plantWords(api, person);
    const { body: me } = await person.call<MeView>('GET', '/auth/me');
    repository.commit(files(CANARIES.changedGitFile));
    await service.stop();
    return {
      id: me.tenant_id,
      key: issued.body.key,
      repositoryId,
      options,
      close: () => site.stop(),
    };
  } catch (error) {
    await service.kill();
    await site.stop();
    throw error;
  }
}

async function plantSources(
  api: ApiClient,
  site: WebSite,
  repository: TestRepository,
): Promise<string> {
  const create = (fields: object) =>
    api.expect<SourceView>('POST', '/sources', { name: CANARIES.sourceName, ...fields });
  const synced = [
    await create({ source_type: 'repo', url: repository.url }),
    await create({ source_type: 'docs', docs_format: 'html', url: site.url('/guide/') }),
    await create({ source_type: 'docs', docs_format: 'openapi', url: site.url('/v1.json') }),
    await create({ source_type: 'pdf', url: site.url('/manual.pdf') }),
  ];
  await create({
    source_type: 'repo',
    url: site.url('/private.git'),
    credentials: { token: CANARIES.token },
  });
  for (const { id } of synced) await api.syncToEnd(id, SYNC_MS);
  const { body } = await api.upload(pdf(CANARIES.uploadedPdf), `${CANARIES.fileName}.pdf`);
  await api.finished(body.job_id, SYNC_MS);
  return synced[0]?.id ?? '';
}

async function plantWords(api: ApiClient, person: Person): Promise<void> {
  await api.search(CANARIES.searchQuery);
  await api.search(CANARIES.gitFile);
  const conversation = await person.begin();
  await person.call('PATCH', `/conversations/${conversation}`, {
    title: CANARIES.conversationTitle,
  });
  const { status } = await person.upload(pdf(CANARIES.conversationPdf), conversation);
  const { status: answered } = await person.call('POST', '/chat', {
    query: `What does ${CANARIES.chatQuery} say of ${CANARIES.conversationPdf}?`,
    conversation_id: conversation,
  });
  if (status >= 300 || answered >= 300)
    throw new Error(`The PDF was answered ${status}, the question ${answered}`);
}

/** Files of code, each with the canary. */
function files(canary: string): Record<string, string> {
  const entries = Object.entries(plausibleFiles(FILES));
  return Object.fromEntries(
    entries.map(([path, content], at) => [
      path,
      at % 3 === 0 ? `// ${canary} ${at}\n${content}` : content,
    ]),
  );
}

function pages() {
  const operation = {
    summary: CANARIES.specification,
    responses: { 200: { description: 'Fine' } },
  };
  return {
    '/guide/': `<!doctype html><title>Guide</title><main><h1>Guide</h1><p>It says ${CANARIES.page} here.</p></main>`,
    '/v1.json': JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Users', version: '1' },
      paths: { '/users': { get: operation } },
    }),
    '/manual.pdf': pdf(CANARIES.pdfAtUrl),
  };
}

function pdf(canary: string): Buffer {
  return writePdf([linesAt(72, 100, [`The text ${canary} stands on this page.`])]);
}
