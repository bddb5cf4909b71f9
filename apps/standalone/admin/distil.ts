import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Command, InvalidArgumentError } from 'commander';

import {
  distil,
  DISTIL_DEFAULTS,
  DistilError,
  type Distilled,
  type DistilSettings,
  openRepositories,
  openTeacher,
} from '#distil';
import { createChunker } from '#ingest';
import {
  type Config,
  ConfigError,
  createLogger,
  loadConfig,
  replaceFile,
  systemClock,
} from '#platform';

const GRAMMARS = fileURLToPath(new URL('../../../grammars', import.meta.url));
/** Every process of the service must read the file, whatever its user. */
const SHARED = 0o644;

interface Options extends Omit<DistilSettings, 'fit'> {
  readonly repo: readonly string[];
  readonly out: string;
  readonly cache?: string;
  readonly passes: number;
  readonly teacherWeight: number;
}

function number(least: number, most: number, isWhole = true) {
  return (text: string): number => {
    const value = Number(text);
    const fits =
      text.trim() !== '' &&
      value >= least &&
      value <= most &&
      (!isWhole || Number.isInteger(value));
    if (!fits)
      throw new InvalidArgumentError(
        `must be ${isWhole ? 'an integer' : 'a number'} from ${least} to ${most}`,
      );
    return value;
  };
}

/**
 * `npm run distil`. Needs no data folder, and changes only the file and the cache that it names.
 */
await new Command('distil')
  .description(
    'Creates a model file of static term vectors from the configured embedding model (EMBEDDING_MODEL) and the named ' +
      'repositories. Sends their words, questions and passages to that endpoint. See docs/distil.md.',
  )
  .requiredOption(
    '--repo <folders...>',
    'git repositories, with or without a work tree; their HEAD is read',
  )
  .requiredOption('--out <file>', 'the model file')
  .requiredOption(
    '--licence <expression>',
    'license of the file (SPDX); respect those of the teacher and the texts',
  )
  .option('--name <name>', 'name of the model in generations and receipts', DISTIL_DEFAULTS.name)
  .option(
    '--dimensions <n>',
    'dimensions of the vectors, a multiple of 16',
    number(16, 4_096),
    DISTIL_DEFAULTS.dimensions,
  )
  .option(
    '--hashed-dimensions <n>',
    'dimensions of the hashed part, or 0',
    number(0, 4_096),
    DISTIL_DEFAULTS.hashedDimensions,
  )
  .option(
    '--share <part>',
    'share of the squared norm for the vectors',
    number(0.01, 1, false),
    DISTIL_DEFAULTS.share,
  )
  .option('--words <n>', 'maximum number of words', number(16, 1_000_000), DISTIL_DEFAULTS.words)
  .option(
    '--pieces <n>',
    'maximum number of pieces of unknown words',
    number(0, 1_000_000),
    DISTIL_DEFAULTS.pieces,
  )
  .option(
    '--commits <n>',
    'number of last commits of each repository',
    number(0, 1_000_000),
    DISTIL_DEFAULTS.commits,
  )
  .option(
    '--questions <n>',
    'maximum number of questions for the teacher',
    number(0, 10_000_000),
    DISTIL_DEFAULTS.questions,
  )
  .option(
    '--passages <n>',
    'maximum number of passages for the teacher',
    number(0, 10_000_000),
    DISTIL_DEFAULTS.passages,
  )
  .option(
    '--passes <n>',
    'passes over the pairs; 0 fits nothing',
    number(0, 100, false),
    DISTIL_DEFAULTS.fit.passes,
  )
  .option(
    '--teacher-weight <n>',
    'weight of the teacher against the pairs',
    number(0, 1_000, false),
    DISTIL_DEFAULTS.fit.teacherWeight,
  )
  .option(
    '--max-bytes <n>',
    'maximum size of the file; a larger one is not written',
    number(1, 512 * 1024 ** 2),
    DISTIL_DEFAULTS.maxBytes,
  )
  .option(
    '--cache <folder>',
    'answers of the teacher, to continue an interrupted run (default: OUT.cache)',
  )
  .action(async (options: Options) => {
    try {
      await run(options);
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  })
  .parseAsync();

async function run({
  repo,
  out,
  cache,
  passes,
  teacherWeight,
  ...options
}: Options): Promise<void> {
  const { embedding } = loadConfig();
  if (!embedding)
    throw new ConfigError('EMBEDDING_MODEL must be set to the model to distil, at its endpoint');
  const target = resolve(out);
  if (!existsSync(dirname(target)))
    throw new DistilError(`${dirname(target)} must be an existing folder`);
  const repositories = openRepositories(repo);
  const cacheFolder = resolve(cache ?? `${target}.cache`);
  const teacher = await openTeacher({
    settings: embedding,
    clock: systemClock,
    logger: createLogger('error'),
    cacheFolder,
  });
  const chunker = await createChunker({ grammarsDirectory: GRAMMARS });
  try {
    tell(
      `Words and texts are sent to ${endpointOf(embedding)}; its answers are stored in ${cacheFolder}.`,
    );
    const settings: DistilSettings = {
      ...options,
      fit: { ...DISTIL_DEFAULTS.fit, passes, teacherWeight },
    };
    const now = () => systemClock.monotonic();
    const distilled = await distil(repositories, settings, { chunker, teacher, tell, now });
    await replaceFile(target, distilled.bytes, { mode: SHARED });
    summarize(distilled, target);
  } finally {
    chunker.close();
    teacher.close();
  }
}

/** Returns the endpoint without possible secrets in its address. */
function endpointOf({ baseUrl, model }: NonNullable<Config['embedding']>): string {
  return `${model} at ${new URL(baseUrl).host}`;
}

function summarize(
  { bytes, words, pieces, heldOut, asked, minutes }: Distilled,
  path: string,
): void {
  const spent = Object.entries(minutes).map(([phase, spent]) => `${phase} ${spent.toFixed(1)}`);
  tell(
    [
      `${path}: ${words} words, ${pieces} pieces, ${bytes.length} bytes`,
      `minutes: ${spent.join(', ')}; the teacher embedded ${asked} texts`,
      `held-out MRR over ${heldOut.pairs} pairs: ${heldOut.before.toFixed(3)} before the fit, ${heldOut.after.toFixed(3)} after`,
      `To use it, unset EMBEDDING_MODEL, set EMBEDDING_LOCAL_MODEL=${path} for every process, and sync.`,
    ].join('\n'),
  );
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
