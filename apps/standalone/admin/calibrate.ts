import { Command } from 'commander';

import { createEmbedder, measureSimilarity } from '#models';
import { ConfigError, createLogger, loadConfig, systemClock } from '#platform';

/**
 * `npm run calibrate`. Sends about forty texts to the configured endpoint; needs no data folder and
 * changes nothing.
 */
await new Command('calibrate')
  .description(
    'Measures the cosines of the configured embedding model and prints the resulting setting.',
  )
  .action(async () => {
    try {
      const config = loadConfig();
      if (!config.embedding)
        throw new ConfigError('EMBEDDING_MODEL must be set; a local model needs no calibration');
      const embedder = await createEmbedder({
        config,
        clock: systemClock,
        logger: createLogger('error'),
      });
      const { unrelated, related, range } = await measureSimilarity(embedder);
      process.stdout.write(
        `${embedder.id}\n` +
          `cosines p10/50/90  unrelated ${unrelated.join(' / ')}  related ${related.join(' / ')}\n` +
          `EMBEDDING_SIMILARITY_RANGE=${range.low}-${range.high}\n`,
      );
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  })
  .parseAsync();
