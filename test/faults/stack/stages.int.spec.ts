import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { STAGES } from '#contracts';
import { describeWhen } from '#test/support/describe-when';
import { SyncsUnderFault } from '#test/support/stack/sync-under-fault';
import { TwoTenantService } from '#test/support/two-tenants';

const FILES = 120;

describeWhen('FOOTNOTE_STACK', 'pipelines killed in a stage', () => {
  let service: TwoTenantService;
  let syncs: SyncsUnderFault;

  beforeAll(async () => {
    service = await TwoTenantService.start({ JOB_LEASE_SECONDS: '5' });
    syncs = await SyncsUnderFault.prepare(service, FILES);
  }, 180_000);
  afterAll(() => service.dispose());

  // `finalize` is the projector's and over at once.
  it.each(STAGES.filter((stage) => stage !== 'finalize'))('takes %s up again', async (stage) => {
    const job = await syncs.begin(`Killed in ${stage}`);
    const seen = await syncs.until(job, stage);
    await service.processes.take('pipeline').kill();
    await service.processes.add('pipeline');
    await syncs.completes(job);
    expect(STAGES.indexOf(seen as (typeof STAGES)[number])).toBeGreaterThanOrEqual(
      STAGES.indexOf(stage),
    );
  });

  it('misses and doubles nothing', () => syncs.expectWhole());
});
