import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Characters of a path that patterns and rules take longest to reject. */
const LONG_PATH = 'a'.repeat(1_800);
const LINKS = 200;
const TERMS = 200_000;
const WILDCARDS = 500_000;
const SITEMAP_ELEMENTS = 12_000_000;
const YAML_BYTES = 15 * 1024 * 1024;

/** A site whose every answer is legal and as expensive to read as its size allows. */
export class HostileSite {
  private sitemap: Buffer | undefined;
  private specification: Buffer | undefined;
  private pages = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly hasRules: boolean,
  ) {}

  /** @param hasRules serves a robots.txt of half a million wildcards; else the site has none. */
  static async listen(hasRules = false): Promise<HostileSite> {
    const server = createServer((request, response) => site.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const site = new HostileSite(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      hasRules,
    );
    return site;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer({ url = '/' }: IncomingMessage, response: ServerResponse): void {
    const [type, body] = this.contentOf(url);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  }

  private contentOf(path: string): readonly [type: string, body: string | Buffer | undefined] {
    if (path === '/robots.txt') return ['text/plain', this.hasRules ? rules() : undefined];
    if (path === '/sitemap.xml') return ['application/xml', (this.sitemap ??= sitemap())];
    if (path.startsWith('/specification'))
      return ['application/yaml', (this.specification ??= specification())];
    if (path.startsWith('/plain')) return ['text/html', plain((this.pages += 1))];
    if (path.startsWith('/terms/')) return ['text/html', terms((this.pages += 1))];
    return ['text/html', links()];
  }
}

/** Patterns that came near to matching the long path at each of its characters. */
export function hostilePatterns(
  count: number,
  alternatives: number,
  length: number,
): readonly string[] {
  const choices = Array.from({ length: alternatives }, (_, at) => at).join(',');
  return Array.from({ length: count }, (_, at) => `*${'a'.repeat(length)}b${at}{${choices}}`);
}

/** A small page that is another each time. */
function plain(page: number): string {
  return `<title>Plain</title><main><h1>Plain</h1><p>The word of this page is plainword${page}.</p></main>`;
}

function rules(): string {
  return `User-agent: *\nDisallow: /${'*'.repeat(WILDCARDS)}x\n`;
}

function links(): string {
  const items = Array.from(
    { length: LINKS },
    (_, at) => `<li><a href="/d/${LONG_PATH}${at}">page ${at}</a></li>`,
  );
  return `<title>Links</title><main><h1>Links</h1><ul>${items.join('')}</ul></main>`;
}

function terms(page: number): string {
  return `<title>Terms ${page}</title><main><h1>Terms ${page}</h1><dl>${'<dt>'.repeat(TERMS)}</dl></main>`;
}

function sitemap(): Buffer {
  return Buffer.from(`<urlset>${'<x/>'.repeat(SITEMAP_ELEMENTS)}</urlset>`);
}

function specification(): Buffer {
  const head = 'openapi: 3.1.0\ninfo: {title: Large, version: "1"}\npaths: {}\nx-list: [';
  const item = '[1,2,3,4],';
  return Buffer.from(`${head}${item.repeat(Math.floor(YAML_BYTES / item.length))}0]\n`);
}
