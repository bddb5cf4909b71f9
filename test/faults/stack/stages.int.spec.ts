import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { STAGES } from '#contracts';
import { ON_STACK } from '#test/support/stack/stack-environment';
import { SyncsUnderFault } from '#test/support/stack/sync-under-fault';
import { TwoTenantService } from '#test/support/two-tenants';

const FILES = 120;

if (ON_STACK) stages();
else {
  describe('pipelines killed in a stage', () => {
    it.todo('runs when FOOTNOTE_STACK is set');
  });
}

function stages(): void {
  describe('pipelines killed in a stage', () => {
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
      expect(STAGES.indexOf(seen as (typeof STAGES)[number])).toBeGreaterThanOrEqual(STAGES.indexOf(stage));
    });

    it('misses and doubles nothing', () => syncs.expectWhole());
  });
}
