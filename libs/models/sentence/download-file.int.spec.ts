import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';
import { WebSite } from '#test/support/web-site';

import { type Download, downloadFile } from './download-file.js';

const content = Buffer.from(Array.from({ length: 4_000 }, (_, at) => at % 251));
const sha256 = createHash('sha256').update(content).digest('hex');

describe('downloadFile', () => {
  let site: WebSite;
  let folder: ReturnType<typeof tempDir>;
  let target: string;
  let ranges: (string | undefined)[];

  beforeEach(async () => {
    site = await WebSite.start();
    folder = tempDir();
    target = join(folder.path, 'part');
    ranges = [];
  });
  afterEach(async () => {
    await site.stop();
    folder.remove();
  });

  const download = (more: Partial<Download> = {}) =>
    downloadFile(
      { url: `${site.origin}/model.jar`, name: 'model.jar', sha256, pauseMs: 1, ...more },
      target,
    );

  /** Returns a page that honors ranges, and breaks off after some bytes of each response. */
  function inPieces(most: number) {
    return (request: IncomingMessage, response: ServerResponse): void => {
      const { range } = request.headers;
      ranges.push(range);
      const first = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      if (first >= content.length) {
        response.writeHead(416).end();
        return;
      }
      const rest = content.subarray(first);
      const headers = { 'content-length': rest.length };
      if (first === 0) response.writeHead(200, headers);
      else
        response.writeHead(206, {
          ...headers,
          'content-range': `bytes ${first}-${content.length - 1}/${content.length}`,
        });
      if (rest.length <= most) {
        response.end(rest);
        return;
      }
      response.write(rest.subarray(0, most));
      // A client may lose what it has not read yet when the connection breaks.
      const isStored = () => existsSync(target) && statSync(target).size === first + most;
      const timer = setInterval(() => isStored() && response.destroy(), 5);
      response.on('close', () => clearInterval(timer));
    };
  }

  it('continues after a break by range, and stores every byte once', async () => {
    site.put({ '/model.jar': inPieces(1_500) });
    await download();
    expect(readFileSync(target)).toEqual(content);
    expect(ranges).toEqual([undefined, 'bytes=1500-', 'bytes=3000-']);
  });

  it('continues what an earlier process stored', async () => {
    writeFileSync(target, content.subarray(0, 1_000));
    site.put({ '/model.jar': inPieces(content.length) });
    await download();
    expect(readFileSync(target)).toEqual(content);
    expect(ranges).toEqual(['bytes=1000-']);
  });

  it('requests nothing if the file is complete', async () => {
    writeFileSync(target, content);
    await download();
    expect(site.seen).toEqual([]);
  });

  it('starts again if the server ignores ranges', async () => {
    writeFileSync(target, content.subarray(0, 1_000));
    site.put({ '/model.jar': content });
    await download();
    expect(readFileSync(target)).toEqual(content);
  });

  it('starts again if the stored bytes are longer than the file', async () => {
    writeFileSync(target, Buffer.alloc(5_000));
    site.put({ '/model.jar': inPieces(content.length) });
    await download();
    expect(readFileSync(target)).toEqual(content);
    expect(ranges).toEqual(['bytes=5000-', undefined]);
  });

  it('removes a file with another hash and reports both', async () => {
    site.put({ '/model.jar': Buffer.from('something else') });
    await expect(download()).rejects.toThrow(
      `model.jar must have the SHA-256 ${sha256} (got ${hashOf('something else')})`,
    );
    expect(existsSync(target)).toBe(false);
    expect(site.seen).toHaveLength(1);
  });

  it('rejects a file above the limit, and accepts one at the limit', async () => {
    site.put({ '/model.jar': content });
    await expect(download({ maxBytes: content.length - 1 })).rejects.toThrow(
      'model.jar must have at most 3999 bytes',
    );
    await download({ maxBytes: content.length });
    expect(readFileSync(target)).toEqual(content);
  });

  it('does not retry a missing file', async () => {
    await expect(download()).rejects.toThrow('answered 404 for model.jar');
    expect(site.seen).toHaveLength(1);
  });

  it('retries while the server is unavailable, then gives up', async () => {
    site.put({
      '/model.jar': (_, response) => {
        response.writeHead(503).end();
      },
    });
    await expect(download()).rejects.toThrow('answered 503 for model.jar');
    expect(site.seen).toHaveLength(6);
  });

  it('continues after a server that stops sending', async () => {
    let requests = 0;
    site.put({
      '/model.jar': (request, response) => {
        requests += 1;
        if (requests > 1) return inPieces(content.length)(request, response);
        response.writeHead(200, { 'content-length': content.length });
        response.write(content.subarray(0, 700));
      },
    });
    await download({ stallMs: 500 });
    expect(readFileSync(target)).toEqual(content);
  });
});

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
