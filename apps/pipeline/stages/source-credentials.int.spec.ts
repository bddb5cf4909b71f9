import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { sealCredentials } from '#ingest';
import { FsKeyRing, uuidv7 } from '#platform';
import { PipelineHarness } from '#test/support/pipeline-harness';

const TENANT = '01890000-0000-7000-8000-0000000000a1';
const TOKEN = 'glpat-0123456789abcdefghij';

describe('a sync with credentials', () => {
  let harness: PipelineHarness;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    await harness.start();
  });
  afterEach(() => harness.close());

  async function register(url: string, origin: string): Promise<string> {
    const sourceId = uuidv7();
    const place = { tenantId: TENANT, sourceId, origin };
    const credentials = await sealCredentials(harness.keyRing, place, { token: TOKEN });
    const definition = {
      source_type: 'repo' as const,
      url,
      branch: 'main',
      include_patterns: [],
      exclude_patterns: [],
    };
    const data = { source_id: sourceId, name: 'Private', definition, credentials };
    await harness.commandSource(TENANT, sourceId, { type: 'RegisterSource', data });
    return sourceId;
  }

  it("fails for good where the tenant's key was destroyed", async () => {
    const url = 'https://git.example.com/acme/site.git';
    const sourceId = await register(url, 'https://git.example.com:443');
    await harness.keyRing.destroy(TENANT);
    expect(await harness.sync(TENANT, sourceId)).toMatchObject({
      status: 'failed',
      retry_count: 0,
      error_message: `The credentials for ${url} cannot be opened: this tenant's data key was destroyed, and they with it`,
    });
  });

  it('fails for good where the key ring is another, and says what to do', async () => {
    const url = 'https://git.example.com/acme/site.git';
    const sourceId = await register(url, 'https://git.example.com:443');
    await harness.restart({
      keyRing: await FsKeyRing.open(`${harness.directory.path}/new-keys`, undefined),
    });
    const job = await harness.sync(TENANT, sourceId);
    expect(job).toMatchObject({ status: 'failed', retry_count: 0 });
    expect(job).toHaveProperty(
      'error_message',
      expect.stringMatching(/not in the key ring; give them again/),
    );
  });

  it('sends nothing over http:// where the operator does not allow private networks any more', async () => {
    const url = 'http://git.example.com/acme/site.git';
    const sourceId = await register(url, 'http://git.example.com:80');
    await harness.restart({ network: { allowPrivateNetworks: false } });
    const job = await harness.sync(TENANT, sourceId);
    expect(job).toMatchObject({ status: 'failed', retry_count: 0 });
    expect(job).toHaveProperty(
      'error_message',
      expect.stringContaining('is not sent over http://'),
    );
    expect(JSON.stringify(job)).not.toContain(TOKEN);
  });
});
