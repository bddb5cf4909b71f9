import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import {
  packageDefinition,
  packageProblemOf,
  type PackageVersion,
  PUBLIC_TENANT,
} from '#contracts';
import { packageSourceId } from '#ingest';
import { tarGz } from '#test/support/packages/archives';
import { RegistrySite } from '#test/support/packages/registry-site';
import { PipelineHarness } from '#test/support/pipeline-harness';

const THING: PackageVersion = { ecosystem: 'npm', name: '@acme/thing', version: '1.0.0' };

describe('pipeline: releases of packages', () => {
  let harness: PipelineHarness;
  let registry: RegistrySite;
  beforeEach(async () => {
    [harness, registry] = await Promise.all([PipelineHarness.open(), RegistrySite.start()]);
    // The registry is on loopback, and the operator named it: no source of anybody's could be.
    await harness.start({
      environment: registry.environment,
      network: { allowPrivateNetworks: false },
    });
  });
  afterEach(async () => {
    await harness.close();
    await registry.stop();
  });

  async function registered(release: PackageVersion): Promise<string> {
    const source_id = packageSourceId(release);
    const data = {
      source_id,
      name: 'thing',
      definition: packageDefinition(release),
      audience: { kind: 'linked' as const },
    };
    await harness.commandSource(PUBLIC_TENANT, source_id, { type: 'RegisterSource', data });
    return source_id;
  }

  it('become code below their name, at their version, and are not fetched twice', async () => {
    const content = {
      'package.json': '{"name":"@acme/thing"}',
      'lib/add.js': 'export function add(a, b) {\n  return a + b;\n}\n',
      'README.md': '# Thing\n\nAdds numbers.\n',
    };
    registry.npm(THING.name, { '1.0.0': { content } });
    const source = await registered(THING);
    const job = await harness.sync(PUBLIC_TENANT, source);
    if (job.status !== 'completed') throw new Error(`the job ended ${JSON.stringify(job)}`);
    expect(job.published.version_ref).toBe('1.0.0');
    const chunks = await harness.index.chunksOf(job.published.manifest);
    const code = chunks.find(({ path }) => path === '@acme/thing/lib/add.js');
    expect(code).toMatchObject({
      chunk_type: 'code',
      language: 'javascript',
      start_line: 1,
      end_line: 3,
    });
    expect(new Set(chunks.map(({ path }) => path))).toEqual(
      new Set(['@acme/thing/README.md', '@acme/thing/lib/add.js', '@acme/thing/package.json']),
    );
    registry.site.seen.length = 0;
    expect(await harness.sync(PUBLIC_TENANT, source)).toMatchObject({ status: 'completed' });
    expect(registry.site.seen).toEqual([]);
  });

  it('that cannot be read fail at once, and say in their details what is wrong', async () => {
    registry.npm(THING.name, { '1.0.0': { content: tarGz({ 'package/../../x': 'x' }) } });
    const job = await harness.sync(PUBLIC_TENANT, await registered(THING));
    expect(job).toMatchObject({ status: 'failed', retry_count: 0 });
    if (job.status !== 'failed') return;
    expect(packageProblemOf(job.error_details)).toBe('package_unreadable');
    expect(job.error_details).toMatchObject({
      url: 'pkg:npm/%40acme/thing@1.0.0',
      archive: 'hostile',
    });
  });
});
