import { isDeepStrictEqual } from 'node:util';

import { KILLS, StageKills, type SyncOutcome } from '#test/support/stage-kills';

import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

/** So many that each stage takes long enough to be met at a given moment. */
const FILES = 1_500;

/**
 * `kill -9` of the service at the start, in the middle and at the end of each of the six stages of
 * a sync.
 */
export const stageKillsScenario: Scenario = {
  name: 'stage-kills',
  mustHold: true,
  async run({ scratch, say, note }: BenchContext): Promise<readonly Figure[]> {
    const kills = await StageKills.prepare(scratch, FILES);
    const { undisturbed } = kills;
    const { chunks_created, chunks_updated, chunks_deleted, files_processed } =
      undisturbed.counters;
    const stages = [
      ...new Set(KILLS.map(({ stage }) => `${stage} ${kills.tookMs(stage)} ms`)),
    ].join(', ');
    note(
      'stage-kills',
      `a sync that reads ${files_processed} files: ${chunks_created} chunks created, ${chunks_updated} updated, ` +
        `${chunks_deleted} deleted of ${undisturbed.source.chunk_count}; undisturbed: ${stages}`,
    );
    const figures: Figure[] = [];
    for (const { stage, moment } of KILLS) {
      const { outcome, landing } = await kills.killed(stage, moment);
      const others = different(outcome, undisturbed);
      const measured = others.length === 0 ? 'the same' : `another: ${others.join(', ')}`;
      say(`${stage}, ${moment}: ${measured}`);
      figures.push({
        what: `killed in ${stage}, ${moment}: ${Math.round(landing.after)} ms after it began, the log's last event ${landing.last}`,
        measured,
        target: 'manifest, counters, answers and chunk ids as without a kill',
        met: others.length === 0 && outcome.status === 'completed' && outcome.sound,
        raw: { stage, moment, ...landing },
      });
    }
    return figures;
  },
};

/** Returns the fields of an outcome that differ from the expected ones. */
function different(outcome: SyncOutcome, expected: SyncOutcome): readonly string[] {
  return (Object.keys(expected) as (keyof SyncOutcome)[]).filter(
    (name) => !isDeepStrictEqual(outcome[name], expected[name]),
  );
}
