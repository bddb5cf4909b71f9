import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

import { type Figure, machine, markdown } from './report.js';
import { admissionScenario } from './scenarios/admission.scenario.js';
import { agentsScenario } from './scenarios/agents.scenario.js';
import { auditScenario } from './scenarios/audit.scenario.js';
import { chatScenario } from './scenarios/chat.scenario.js';
import { citationsScenario } from './scenarios/citations.scenario.js';
import { codeCostScenario } from './scenarios/code-cost.scenario.js';
import { codeEqualityScenario } from './scenarios/code-equality.scenario.js';
import { codeFleetScenario } from './scenarios/code-fleet.scenario.js';
import { codeSearchScenario } from './scenarios/code-search.scenario.js';
import { codeSpeedScenario } from './scenarios/code-speed.scenario.js';
import { commandsScenario } from './scenarios/commands.scenario.js';
import { firstStartsScenario } from './scenarios/first-starts.scenario.js';
import { fleetScenario } from './scenarios/fleet.scenario.js';
import { growthScenario } from './scenarios/growth.scenario.js';
import { longLogScenario } from './scenarios/long-log.scenario.js';
import { manyPacksScenario } from './scenarios/many-packs.scenario.js';
import { mixedScenario } from './scenarios/mixed.scenario.js';
import { neighborsScenario } from './scenarios/neighbors.scenario.js';
import { packageImportsScenario } from './scenarios/package-imports.scenario.js';
import { packagesScenario } from './scenarios/packages.scenario.js';
import { peersScenario } from './scenarios/peers.scenario.js';
import { pipelineStartScenario } from './scenarios/pipeline-start.scenario.js';
import { readModelYearScenario } from './scenarios/read-model-year.scenario.js';
import { recallScenario } from './scenarios/recall.scenario.js';
import { refineScenario } from './scenarios/refine.scenario.js';
import { resyncScenario } from './scenarios/resync.scenario.js';
import { roverScenario } from './scenarios/rover.scenario.js';
import { scalingScenario } from './scenarios/scaling.scenario.js';
import type { Scenario } from './scenarios/scenario.js';
import { searchScenario } from './scenarios/search.scenario.js';
import { secretsScenario } from './scenarios/secrets.scenario.js';
import { soakScenario } from './scenarios/soak.scenario.js';
import { stageKillsScenario } from './scenarios/stage-kills.scenario.js';
import { syncScenario } from './scenarios/sync.scenario.js';
import { syntheticRecallScenario } from './scenarios/synthetic-recall.scenario.js';
import { tracesScenario } from './scenarios/traces.scenario.js';
import { upgradeKillsScenario } from './scenarios/upgrade-kills.scenario.js';

const SCENARIOS: readonly Scenario[] = [
  commandsScenario,
  citationsScenario,
  admissionScenario,
  syncScenario,
  searchScenario(50_000, 10),
  searchScenario(160_000, 25),
];
const ONLY_WHEN_NAMED: readonly Scenario[] = [
  packageImportsScenario,
  codeSearchScenario,
  codeEqualityScenario,
  codeSpeedScenario,
  codeFleetScenario,
  codeCostScenario,
  chatScenario,
  searchScenario(10_000, 10),
  searchScenario(530_000, 15),
  searchScenario(2_000_000, 40),
  growthScenario,
  scalingScenario,
  fleetScenario,
  peersScenario,
  firstStartsScenario,
  secretsScenario,
  soakScenario,
  stageKillsScenario,
  upgradeKillsScenario,
  neighborsScenario,
  recallScenario,
  syntheticRecallScenario,
  refineScenario,
  resyncScenario,
  packagesScenario,
  readModelYearScenario,
  pipelineStartScenario,
  longLogScenario,
  mixedScenario,
  tracesScenario,
  auditScenario,
  manyPacksScenario,
  roverScenario,
  agentsScenario,
];
const KNOWN = [...SCENARIOS, ...ONLY_WHEN_NAMED];

const program = new Command('bench')
  .description('Measures Footnote on real repositories and prints one table.')
  .argument(
    '[scenario...]',
    `which figures: ${KNOWN.map(({ name }) => name).join(', ')}; all when none is named`,
  )
  .option(
    '--repo <folder...>',
    'git repositories on disk, the largest first; default: the one this stands in',
    ['.'],
  )
  .option('--only <name...>', 'parts of a scenario that has several')
  .option('--rounds <n>', 'how often scenarios that repeat do so', Number)
  .option('--minutes <n>', 'how long a scenario that runs for a time does so', atLeastOne)
  .option('--seed <n>', 'of what a scenario does by chance', Number)
  .option(
    '--events <n>',
    'events of a generated log, for `pipeline-start` and `long-log`',
    atLeastOne,
  )
  .option('--sizes <n...>', 'of a scenario that is measured at several sizes', sizes)
  .option('--pages <folder>', 'HTML pages of a site, for `resync`', resolvePath)
  .option('--specification <file>', 'an OpenAPI specification in JSON, for `resync`', resolvePath)
  .option('--pdfs <folder>', 'PDFs that have text, for `resync`', resolvePath)
  .option('--models <folder>', 'installed models of a DATA_DIR, for `refine`', resolvePath)
  .option(
    '--before <checkout>',
    'a built checkout of an earlier version, for `upgrade-kills` and `neighbors`',
    resolvePath,
  )
  .option('--json <file>', 'also write the figures as JSON')
  .option('--markdown <file>', 'also write the table as Markdown')
  .action(run);

async function run(
  names: readonly string[],
  options: {
    repo: string[];
    rounds?: number;
    minutes?: number;
    seed?: number;
    events?: number;
    sizes?: number[];
    pages?: string;
    specification?: string;
    pdfs?: string;
    models?: string;
    before?: string;
    only?: string[];
    json?: string;
    markdown?: string;
  },
): Promise<void> {
  const unknown = names.filter((name) => !KNOWN.some((scenario) => scenario.name === name));
  if (unknown.length > 0) program.error(`There is no scenario ${unknown.join(', ')}`);
  const chosen = names.length === 0 ? SCENARIOS : KNOWN.filter(({ name }) => names.includes(name));
  const repositories = options.repo.map((folder) => resolve(folder));
  const { rounds, minutes, seed, events, sizes, pages, specification, pdfs, models, before, only } =
    options;
  const chosenOptions = {
    ...(rounds !== undefined && { rounds }),
    ...(minutes !== undefined && { minutes }),
    ...(seed !== undefined && { seed }),
    ...(events !== undefined && { events }),
    ...(sizes !== undefined && { sizes }),
    ...(before !== undefined && { before }),
    ...(only !== undefined && { only }),
    material: {
      ...(pages !== undefined && { pages }),
      ...(specification !== undefined && { specification }),
      ...(pdfs !== undefined && { pdfs }),
      ...(models !== undefined && { models }),
    },
  };
  const figures: Figure[] = [];
  const notes: Record<string, string> = {};
  for (const scenario of chosen) {
    const scratch = mkdtempSync(join(tmpdir(), 'footnote-bench-'));
    try {
      const say = (line: string): void => console.error(`${scenario.name}: ${line}`);
      const note = (name: string, text: string): void => void (notes[name] = text);
      const found = await scenario.run({ repositories, scratch, say, note, ...chosenOptions });
      figures.push(...found);
      if (scenario.mustHold && found.some(({ met }) => met === false)) process.exitCode = 1;
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const report = {
    machine: machine({ footnote: version, ...notes }),
    corpus: repositories.map((folder) => folder.split('/').slice(-2).join('/')),
    figures,
  };
  console.log(markdown(report));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (options.markdown) writeFileSync(options.markdown, markdown(report));
}

function resolvePath(path: string): string {
  return resolve(path);
}

function atLeastOne(text: string): number {
  const minutes = Number(text);
  if (!(minutes >= 1)) throw new InvalidArgumentError('It takes a number from 1.');
  return minutes;
}

/** Parses an option that takes several sizes. */
function sizes(text: string, before: readonly number[] | undefined): readonly number[] {
  return [...(before ?? []), atLeastOne(text)];
}

await program.parseAsync();
