import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { hostilePatterns, type HostileSite } from './hostile-site.js';
import type { Ledger } from './ledger.js';

const CONNECTIONS = 40;
const PUSH_BODY_BYTES = 8 * 1024 * 1024;
const WITHHELD_MS = 3_000;
const PUSHES = 20;
const CHANGES = 60;
const MADE_UP_KEYS = 300;
const SEARCHES = 4;

export interface RequestSurroundings {
  readonly ledger: Ledger;
  readonly serviceUrl: string;
  readonly site: HostileSite;
  /** The same with a robots.txt of half a million wildcards. */
  readonly ruledSite: HostileSite;
}

/** Sources and requests whose work grows with what a tenant, or a stranger, wrote into them. */
export class HostileRequests {
  readonly moves: Readonly<Record<string, () => Promise<void>>> = {
    'path patterns': () =>
      this.syncSite('patterns', { exclude_patterns: hostilePatterns(100, 8, 230) }),
    'robots rules': () => this.syncSite('rules', {}, this.around.ruledSite),
    sitemaps: () => this.syncSite('sitemap', { use_sitemap: true }),
    'definition lists': () =>
      this.syncSite('terms', { doc_urls: pages(`${this.around.site.url}/terms/`, 12) }),
    'large YAML': () => this.syncSite('specification.yaml', { docs_format: 'openapi' }),
    'hostile searches': () => this.searches(),
    'large definitions': () => this.largeDefinitions(),
    'unsigned pushes': () => this.unsignedPushes(),
    'withheld bodies': () => this.withheldBodies(),
    'made-up keys': () => this.madeUpKeys(),
  };
  private readonly sources = new Map<string, string>();

  constructor(private readonly around: RequestSurroundings) {}

  private async syncSite(path: string, fields: object, site = this.around.site): Promise<void> {
    await this.around.ledger.sync(await this.source(path, `${site.url}/${path}`, fields));
  }

  /** One source of each kind, registered when it is first wanted. */
  private async source(name: string, url: string, fields: object): Promise<string> {
    const known = this.sources.get(name);
    if (known !== undefined) return known;
    const id = await this.around.ledger.register(`hostile ${name}`, url, {
      source_type: 'docs',
      ...fields,
    });
    this.sources.set(name, id);
    return id;
  }

  private async searches(): Promise<void> {
    const body = { query: 'which value is exported', path_patterns: hostilePatterns(50, 64, 100) };
    const { client } = this.around.ledger;
    await Promise.all(Array.from({ length: SEARCHES }, () => client.call('POST', '/search', body)));
  }

  /**
   * As large as the API takes them, and lists of them; larger ones are rejected, which is the
   * point.
   */
  private async largeDefinitions(): Promise<void> {
    const { ledger, site } = this.around;
    const doc_urls = pages(`${site.url}/${'d'.repeat(1_900)}`, 1_000);
    const large = { name: 'too large', source_type: 'docs', url: `${site.url}/`, doc_urls };
    await ledger.client.call('POST', '/sources', large);
    await Promise.all(
      Array.from({ length: 10 }, () => ledger.client.call('GET', '/sources?limit=100')),
    );
  }

  private async unsignedPushes(): Promise<void> {
    const source = this.sources.get('pushed') ?? (await this.muchChanged());
    const url = `${this.around.serviceUrl}/sources/${source}/hooks/push`;
    const headers = { 'content-type': 'application/json', 'x-gitlab-token': 'x' };
    await Promise.all(
      Array.from({ length: PUSHES }, async () => {
        const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
        await answer.arrayBuffer();
      }),
    );
  }

  /** A source whose stream holds many definitions, each as large as the API takes it. */
  private async muchChanged(): Promise<string> {
    const { ledger, site } = this.around;
    const source = await this.source('pushed', `${site.url}/pushed`, {});
    for (let change = 0; change < CHANGES; change += 1) {
      const doc_urls = (count: number) => pages(`${site.url}/${change}${'d'.repeat(1_900)}`, count);
      const path = `/sources/${source}`;
      const answer = await ledger.client.call('PATCH', path, { doc_urls: doc_urls(500) });
      if (answer.status === 400)
        await ledger.client.call('PATCH', path, { doc_urls: doc_urls(30) });
    }
    return source;
  }

  /** Sends all of a body but its last byte, from many connections at once. */
  private async withheldBodies(): Promise<void> {
    const { hostname, port } = new URL(this.around.serviceUrl);
    const head = `POST /sources/${crypto.randomUUID()}/hooks/push HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${PUSH_BODY_BYTES}\r\n\r\n`;
    const body = Buffer.alloc(PUSH_BODY_BYTES - 1, 0x20);
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined).resume();
      socket.write(head);
      socket.write(body);
      return socket;
    });
    await delay(WITHHELD_MS);
    for (const socket of sockets) socket.destroy();
  }

  private async madeUpKeys(): Promise<void> {
    for (let sent = 0; sent < MADE_UP_KEYS; sent += 1) {
      const headers = { 'x-api-key': `fnt_${crypto.randomUUID().replaceAll('-', '')}` };
      const answer = await fetch(`${this.around.serviceUrl}/sources`, { headers });
      await answer.arrayBuffer();
    }
  }
}

function pages(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${at}`);
}
