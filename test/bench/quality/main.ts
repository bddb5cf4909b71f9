import { basename, resolve } from 'node:path';

import { Command, InvalidArgumentError, Option } from 'commander';

import { BUILT_IN_MODEL_IDS, findLocalModel, localModel, type LocalModelAddress } from '#models';
import type { LocalModel } from '#retrieval';

import { measureAgentTasks } from './agent-tasks/measure-agent-tasks.js';
import { BenchSentences, type EncoderOptions } from './bench-sentences.js';
import { labelProblems } from './check-labels.js';
import { commitLineSet } from './commit-line-set.js';
import { commitSet } from './commit-set.js';
import { compareRuns } from './compare-runs.js';
import { docstringSet } from './docstring-set.js';
import { labeledSets, TUNING_REPOSITORIES } from './labels.js';
import { measure } from './measure.js';
import { measureAnswers } from './measure-answers.js';
import { measureQuestions } from './measure-questions.js';
import { comparedEndpointModel, comparedLocalModel } from './question-peers/compared-model.js';
import {
  measureQuestionPeers,
  QUESTION_PEER_NAMES,
  type QuestionPeerName,
} from './question-peers/measure-question-peers.js';
import { type Half, type QuestionSet, questionSets } from './question-set.js';
import { measureRefusal } from './refusal/measure-refusal.js';
import { crossPairs } from './rover/cross-repository-set.js';
import { measureRover } from './rover/measure-rover.js';
import { measureScip, type ScipAsked } from './scip/measure-scip.js';
import { type Answerer, ANSWERERS, measureCitedFiles } from './swe-qa/measure-cited-files.js';
import { measureSweQa } from './swe-qa/measure-swe-qa.js';
import { sweQaSets } from './swe-qa/swe-qa-set.js';

interface RepositoryOptions {
  readonly repo: string[];
  readonly limit: number;
  readonly json?: string;
  readonly model: LocalModel;
}

interface CommitOptions extends RepositoryOptions, EncoderOptions {
  readonly history: number;
  readonly lines?: true;
  readonly baseline?: string;
}

interface QuestionOptions {
  readonly repos: string;
  readonly half: Half;
  readonly questions: string;
  readonly only?: string[];
  readonly json?: string;
}

interface LabelOptions extends EncoderOptions {
  readonly labels: string;
  readonly repos: string;
  readonly only?: string[];
  readonly json?: string;
  readonly model: LocalModel;
}

interface SweQaOptions extends EncoderOptions {
  readonly folder: string;
  readonly repos: string;
  readonly packs: string;
  readonly half: Half;
  readonly only?: string[];
  readonly ask?: Answerer[];
  readonly model: LocalModelAddress;
  readonly json?: string;
}

interface PeerOptions extends QuestionOptions {
  readonly peer: readonly QuestionPeerName[];
  readonly endpoint?: true;
  readonly perFile?: number;
}

const DEFAULT_MODEL = BUILT_IN_MODEL_IDS[0] as string;

const program = new Command('bench:quality').description(
  'Measures ranking quality. The same input gives the same figures.',
);

program
  .command('labels', { isDefault: true })
  .description('The tuning repositories of the public semble benchmark.')
  .requiredOption(
    '--labels <folder>',
    'the folder `benchmarks` of the labels, with repos.json and annotations/',
  )
  .requiredOption(
    '--repos <folder>',
    'git repositories by their names in the labels, with the labeled revisions',
  )
  .option('--only <name...>', 'some of the tuning repositories')
  .addOption(modelOption())
  .addOption(encoderOption())
  .addOption(vectorsOption())
  .option('--json <file>', 'also write every query with its score')
  .action((options: LabelOptions) => {
    const names = TUNING_REPOSITORIES.filter((name) => options.only?.includes(name) ?? true);
    const sets = labeledSets(options.labels, options.repos, names);
    return BenchSentences.with(options, (sentences) =>
      measure(sets, options.model, options.json, sentences),
    );
  });

program
  .command('agent-tasks')
  .description('20 tasks of coding agents by the API, the MCP tools, and ripgrep with whole files.')
  .requiredOption('--repo <folder...>', 'clones of the repositories, at the commits of the tasks')
  .option('--json <file>', 'also write each task with its answers')
  .action(({ repo, json }: { readonly repo: string[]; readonly json?: string }) =>
    measureAgentTasks(repo, json),
  );

ofRepositories(
  'docstrings',
  "From the first sentence of a function's comment, taken out of the code, to the function.",
)
  .option('--revision <commit>', 'what is indexed', 'HEAD')
  .action(({ repo, limit, json, model, revision }: RepositoryOptions & { revision: string }) =>
    measure(
      repo.map((folder) => docstringSet(nameOf(folder), folder, revision, limit)),
      model,
      json,
    ),
  );

ofRepositories(
  'commits',
  'From the subject of a commit to the files that it changes, at a revision before it.',
)
  .option(
    '--history <commits>',
    'how far before HEAD the indexed revision lies, merges counting as one',
    count,
    300,
  )
  .option('--lines', 'from subjects and first sentences to the added lines, at HEAD')
  .option('--baseline <file>', 'with --lines: compares with a file that --json wrote')
  .addOption(encoderOption())
  .addOption(vectorsOption())
  .action(({ repo, limit, model, history, json, baseline, lines, ...encoder }: CommitOptions) =>
    BenchSentences.with(encoder, (sentences) => {
      if (lines) {
        const sets = repo.map((folder) => commitLineSet(nameOf(folder), folder, limit));
        return measureQuestions(sets, model, { json, baseline, sentences });
      }
      const sets = repo.map((folder) => commitSet(nameOf(folder), folder, history, limit));
      return measure(sets, model, json, sentences);
    }),
  );

ofQuestions(
  'questions',
  "Our own questions in people's words about fifteen repositories: how they are ranked.",
)
  .addOption(modelOption())
  .option('--json <file>', 'also write every question with its ranks and first results')
  .option('--baseline <file>', 'also print each figure next to that of a file that --json wrote')
  .addOption(encoderOption())
  .addOption(vectorsOption())
  .action(
    (options: QuestionOptions & EncoderOptions & { model: LocalModel; baseline?: string }) => {
      const { model, json, baseline } = options;
      return BenchSentences.with(options, (sentences) =>
        measureQuestions(setsOf(options), model, { json, baseline, sentences }),
      );
    },
  );

ofQuestions(
  'check-labels',
  'Whether each labeled place exists and contains its quoted words.',
).action((options: QuestionOptions) => {
  const sets = setsOf(options);
  const problems = sets.flatMap((set) => labelProblems(set, set.documents()));
  for (const problem of problems) console.log(problem);
  const questions = sets.reduce((sum, set) => sum + set.questions.length, 0);
  console.log(`${sets.length} sets, ${questions} questions, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
});

ofQuestions('answers', 'The same questions: what their answers cite, without a language model.')
  .addOption(addressOption())
  .option('--json <file>', 'also write every question with its answer')
  .option('--top-k <passages>', 'that an answer may rest on. Default: as the chat', count)
  .option(
    '--list <questions>',
    'also print the first questions of each repository one by one',
    count,
  )
  .action(
    (options: QuestionOptions & { model: LocalModelAddress; topK?: number; list?: number }) => {
      const { model, json, topK, list } = options;
      const evidence = topK === undefined ? {} : { top_k: topK };
      return measureAnswers(setsOf(options), { model, json, listed: list, ...evidence });
    },
  );

ofQuestions(
  'question-peers',
  'The same questions, asked to Footnote and to what one could use instead.',
)
  .addOption(modelOption())
  .option('--json <file>', 'also write every question with its ranks and first results')
  .addOption(
    new Option('--peer <name...>', 'some of them')
      .choices(QUESTION_PEER_NAMES)
      .default([...QUESTION_PEER_NAMES]),
  )
  .option('--endpoint', 'also with the vectors of the model that the EMBEDDING_ variables name')
  .option(
    '--per-file <results>',
    'most results of a file, for all but Footnote, which shows two itself',
    count,
  )
  .action(async (options: PeerOptions & { model: LocalModel }) => {
    const { only, ...half } = options;
    const all = setsOf(half);
    const sets = all.map((set, at) => ({ set, foreign: all[(at + 1) % all.length] ?? set }));
    const local = comparedLocalModel(options.model);
    await measureQuestionPeers({
      sets: sets.filter(({ set }) => only?.includes(set.repository) ?? true),
      peers: options.peer,
      models: options.endpoint ? [local, await comparedEndpointModel()] : [local],
      mostPerFile: options.perFile,
      json: options.json,
    });
  });

program
  .command('rover')
  .description(
    'Questions that need two repositories: which sides rover and chat cite, without a model.',
  )
  .requiredOption('--repos <folder>', 'git repositories as `<owner>/<name>`, with the commits')
  .option('--packs <folder>', 'where indexed repositories are kept between runs', '.bench/packs')
  .addOption(halfOption('of the pairs: those to choose rules on, or those kept back'))
  .option(
    '--questions <file>',
    'the pairs with their questions',
    'test/bench/quality/rover/cross-repository.json',
  )
  .option('--only <name...>', 'some of the pairs of that half')
  .addOption(addressOption())
  .option('--json <file>', 'also write every question with its citations')
  .action(
    ({
      half,
      questions,
      only,
      ...options
    }: {
      repos: string;
      packs: string;
      half: Half;
      questions: string;
      only?: string[];
      model: LocalModelAddress;
      json?: string;
    }) => {
      const pairs = crossPairs(questions).filter(
        (pair) => pair.half === half && (only?.includes(pair.name) ?? true),
      );
      return measureRover({ ...options, pairs });
    },
  );

program
  .command('swe-qa')
  .description(
    'The public SWE-QA-Bench: whether the files that its reference answers name are found or cited.',
  )
  .requiredOption('--folder <folder>', 'a clone of SWE-QA-Bench')
  .requiredOption('--repos <folder>', 'git repositories as `<owner>/<name>`, with the commits')
  .option('--packs <folder>', 'where indexed repositories are kept between runs', '.bench/packs')
  .addOption(halfOption('of the repositories: those to choose rules on, or those kept back'))
  .option('--only <name...>', 'some of the repositories of that half')
  .addOption(
    new Option(
      '--ask <answerer...>',
      'who answers, to measure citations instead of search results; two are compared',
    ).choices(ANSWERERS),
  )
  .addOption(addressOption())
  .option('--json <file>', 'also write every question with its scores')
  .addOption(encoderOption().conflicts('ask'))
  .addOption(vectorsOption())
  .action(({ folder, half, only, ask, encoder, vectors, ...options }: SweQaOptions) => {
    const sets = sweQaSets(folder).filter(
      (set) => set.half === half && (only?.includes(set.name) ?? true),
    );
    if (!ask)
      return BenchSentences.with({ ...(encoder && { encoder }), vectors }, (sentences) =>
        measureSweQa({ ...options, sets, sentences }),
      );
    return measureCitedFiles({ ...options, sets, ask });
  });

program
  .command('scip')
  .description(
    'Definitions and references without a SCIP index, compared with those of an index of HEAD.',
  )
  .requiredOption('--repo <folder>', 'a git repository')
  .requiredOption('--index <file>', 'its SCIP index')
  .option('--limit <symbols>', 'most symbols of a kind whose references are compared', count, 300)
  .addOption(modelOption())
  .action((options: ScipAsked) => measureScip(options));

program
  .command('refusal')
  .description(
    'Which questions the default threshold refuses, now and by a logistic function fitted on the first run.',
  )
  .argument('<runs...>', 'files that --json of questions wrote')
  .action((files: string[]) => measureRefusal(files));

program
  .command('compare')
  .description(
    'Two runs of the questions side by side: differences with their intervals, what got better and what worse.',
  )
  .argument('<before>', 'a file that --json of questions wrote')
  .argument('<after>', 'another')
  .action(compareRuns);

function ofRepositories(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .requiredOption(
      '--repo <folder...>',
      'any git repositories; two or more also measure queries about another one',
    )
    .option('--limit <queries>', 'most queries a repository', count, 200)
    .addOption(modelOption())
    .option('--json <file>', 'also write every query with its score');
}

function ofQuestions(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .requiredOption(
      '--repos <folder>',
      'git repositories by their names in the question sets, with the revisions named there',
    )
    .addOption(halfOption('of the repositories: those to choose parameters on, or those kept back'))
    .option('--questions <folder>', 'the question sets', 'test/bench/quality/questions')
    .option('--only <name...>', 'some of the repositories of that half');
}

function setsOf({ questions, repos, half, only }: QuestionOptions): QuestionSet[] {
  return questionSets(questions, repos).filter(
    (set) => set.half === half && (only?.includes(set.repository) ?? true),
  );
}

function halfOption(description: string): Option {
  return new Option('--half <half>', description)
    .choices(['choosing', 'checking'])
    .default('checking');
}

function encoderOption(): Option {
  return new Option(
    '--encoder <folder>',
    'also with the sentence encoder that is installed there: `models` of a DATA_DIR',
  );
}

function vectorsOption(): Option {
  return new Option('--vectors <folder>', 'where sentence vectors are kept between runs').default(
    '.bench/vectors',
  );
}

function modelOption(): Option {
  return new Option('--model <model>', 'a built-in model by its id, or a model file')
    .default(localModel({ id: DEFAULT_MODEL }), DEFAULT_MODEL)
    .argParser((named) => localModel(addressOf(named)));
}

function addressOption(): Option {
  return new Option('--model <model>', 'a built-in model by its id, or a model file')
    .default({ id: DEFAULT_MODEL }, DEFAULT_MODEL)
    .argParser(addressOf);
}

function addressOf(named: string): LocalModelAddress {
  const address = findLocalModel(BUILT_IN_MODEL_IDS.includes(named) ? named : resolve(named));
  if (!address)
    throw new InvalidArgumentError('It takes a built-in model or the path of a model file.');
  return address;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('It takes a whole number above 0.');
  return Number(text);
}

function nameOf(folder: string): string {
  return basename(resolve(folder)).replace(/\.git$/, '');
}

await program.parseAsync();
