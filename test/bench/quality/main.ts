import { basename, resolve } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

import { commitSet } from './commit-set.js';
import { docstringSet } from './docstring-set.js';
import { TUNING_REPOSITORIES, labelledSets } from './labels.js';
import { measure } from './measure.js';

interface RepositoryOptions {
  readonly repo: string[];
  readonly limit: number;
  readonly json?: string;
}

const program = new Command('bench:quality').description(
  'Measures ranking quality. The same input gives the same figures.',
);

program
  .command('labels', { isDefault: true })
  .description('The tuning repositories of the public semble benchmark.')
  .requiredOption('--labels <folder>', 'the folder `benchmarks` of the labels, with repos.json and annotations/')
  .requiredOption('--repos <folder>', 'git repositories by their names in the labels, with the labelled revisions')
  .option('--only <name...>', 'some of the tuning repositories')
  .option('--json <file>', 'also write every query with its score')
  .action((options: { labels: string; repos: string; only?: string[]; json?: string }) => {
    const names = TUNING_REPOSITORIES.filter((name) => options.only?.includes(name) ?? true);
    return measure(labelledSets(options.labels, options.repos, names), options.json);
  });

ofRepositories('docstrings', "From the first sentence of a function's comment, taken out of the code, to the function.")
  .option('--revision <commit>', 'what is indexed', 'HEAD')
  .action(({ repo, limit, json, revision }: RepositoryOptions & { revision: string }) =>
    measure(
      repo.map((folder) => docstringSet(nameOf(folder), folder, revision, limit)),
      json,
    ),
  );

ofRepositories('commits', 'From the subject of a commit to the files that it changes, at a revision before it.')
  .option('--history <commits>', 'how far before HEAD the indexed revision lies, merges counting as one', count, 300)
  .action(({ repo, limit, json, history }: RepositoryOptions & { history: number }) =>
    measure(
      repo.map((folder) => commitSet(nameOf(folder), folder, history, limit)),
      json,
    ),
  );

function ofRepositories(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .requiredOption('--repo <folder...>', 'any git repositories; two or more also measure queries about another one')
    .option('--limit <queries>', 'most queries a repository', count, 200)
    .option('--json <file>', 'also write every query with its score');
}

function count(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It takes a whole number above 0.');
  return Number(text);
}

function nameOf(folder: string): string {
  return basename(resolve(folder)).replace(/\.git$/, '');
}

await program.parseAsync();
