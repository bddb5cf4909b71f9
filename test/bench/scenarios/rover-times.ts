import type { RoverJobView } from '#contracts/http/index';
import { TwoTenantService } from '#test/support/two-tenants';

import { distribution } from '../measure.js';
import { CitationBytes } from '../quality/rover/citation-bytes.js';
import type { Figure } from '../report.js';
import {
  type EndedJob,
  endedJob,
  finishedJob,
  holdRepositories,
  isWhole,
  type RoverHost,
} from './rover-host.js';
import { ROVER_QUESTIONS } from './rover-questions.js';
import type { BenchContext } from './scenario.js';

/** Cold jobs of the part `times`, and of the part `cold`, which has enough for a p95. */
const COLD_ROUNDS = 5;
const ONLY_COLD_ROUNDS = 20;
const HELD_JOBS = ROVER_QUESTIONS.length;
/** Pause between two looks at a job, milliseconds. */
const POLL_MS = 20;

/** Measures jobs that index their repositories, each in a new service, and jobs that find them. */
export async function roverTimes(
  { folder, repos, environment }: RoverHost,
  { rounds = COLD_ROUNDS, say }: BenchContext,
): Promise<readonly Figure[]> {
  const cold: EndedJob[] = [];
  const held: number[] = [];
  const cited: RoverJobView['citations'][number][] = [];
  let chunks = 0;
  for (let round = 0; round < rounds; round += 1) {
    const service = await TwoTenantService.start(environment);
    try {
      const first = await endedJob(service.first, repos, 0, POLL_MS);
      cold.push(first);
      const seconds = (first.milliseconds / 1_000).toFixed(1);
      say(`cold round ${round + 1} of ${rounds}: ${seconds} s, ${first.job.status}`);
      if (round + 1 < rounds) continue;
      await holdRepositories(service.first, repos, POLL_MS);
      for (let at = 1; at <= HELD_JOBS; at += 1) {
        const { job, milliseconds } = await finishedJob(service.first, repos, at, POLL_MS);
        held.push(milliseconds);
        chunks = chunksOf(job);
        cited.push(...job.citations);
      }
    } finally {
      await service.dispose();
    }
  }
  return [
    coldFigure(`a fast job over ${repos.length} repositories, ${chunks} chunks, cold`, cold),
    timeFigure(`the same while its repositories are held`, held, 5),
    citationFigure(cited, folder),
  ];
}

/** Measures only jobs that index their repositories, each in a new service. */
export async function coldTimes(
  { repos, environment }: RoverHost,
  { rounds = ONLY_COLD_ROUNDS, say }: BenchContext,
): Promise<readonly Figure[]> {
  const cold: EndedJob[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const service = await TwoTenantService.start(environment);
    try {
      const ended = await endedJob(service.first, repos, round, POLL_MS);
      cold.push(ended);
      say(`cold job ${round + 1} of ${rounds}: ${described(ended)}`);
    } finally {
      await service.dispose();
    }
  }
  const chunks = Math.max(...cold.map(({ job }) => chunksOf(job)));
  return [coldFigure(`a fast job over ${repos.length} repositories, ${chunks} chunks, cold`, cold)];
}

/** Returns the time of a job, of its steps `read`, and the number of repositories that it read. */
function described({ job, milliseconds }: EndedJob): string {
  const read = job.read.filter(({ complete }) => complete).length;
  const all = (milliseconds / 1_000).toFixed(1);
  return `${all} s, ${(readingMs(job) / 1_000).toFixed(1)} s of it reading ${read} repositories`;
}

function readingMs({ steps }: RoverJobView): number {
  return steps
    .filter(({ kind, completed_at }) => kind === 'read' && completed_at !== null)
    .reduce(
      (sum, step) => sum + Date.parse(step.completed_at ?? '') - Date.parse(step.started_at),
      0,
    );
}

function chunksOf({ read }: RoverJobView): number {
  return read.reduce((sum, each) => sum + each.chunks, 0);
}

/** A job that reached its budget before it had read all repositories misses the target. */
function coldFigure(what: string, jobs: readonly EndedJob[]): Figure {
  const whole = jobs.filter(({ job }) => isWhole(job)).length;
  const times = jobs.map(({ milliseconds }) => milliseconds);
  const some = jobs.filter(({ job }) => job.read.some(({ complete }) => complete)).length;
  const reading = distribution(jobs.map(({ job }) => readingMs(job))).p50;
  const figure = timeFigure(what, times, 60);
  return {
    ...figure,
    measured: `${figure.measured}, ${whole} read all, ${some} at least one`,
    met: figure.met === true && whole === jobs.length,
    raw: { ...figure.raw, whole, some, reading, times: times.map(Math.round).join(' ') },
  };
}

/** Compares citations with the bytes of their commits; a passage cited by several jobs is one. */
function citationFigure(cited: RoverJobView['citations'], folder: string): Figure {
  const passages = new Map(
    cited.map((each) => [
      `${each.repo} ${each.path}:${each.start_line ?? ''} ${each.sha256}`,
      each,
    ]),
  );
  const bytes = new CitationBytes(folder);
  bytes.compare({ citations: [...passages.values()] });
  const equal = bytes.compared - bytes.different.length;
  return {
    what: 'passages cited by these jobs that equal their commit',
    measured: `${equal} of ${bytes.compared} (${cited.length} citations)`,
    target: 'all, at least 280',
    met: bytes.compared >= 280 && equal === bytes.compared,
    raw: { equal, compared: bytes.compared, citations: cited.length },
  };
}

function timeFigure(what: string, milliseconds: readonly number[], seconds: number): Figure {
  const { p50, p95, count } = distribution(milliseconds);
  return {
    what,
    measured: `p50 ${(p50 / 1_000).toFixed(2)} s, p95 ${(p95 / 1_000).toFixed(2)} s (${count} jobs)`,
    target: `p95 ≤ ${seconds} s`,
    met: p95 <= seconds * 1_000,
    raw: { p50, p95, count },
  };
}
