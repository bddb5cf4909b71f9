import { FIRST_TENANT_ID } from '#platform';

import { TestRepository } from './git-repository.js';
import { type SeededSource, seedSources } from './seed-sources.js';
import { TwoTenantService } from './two-tenants.js';

const DAY_MS = 86_400_000;

/** Files whose every chunk says `quince`: more than a search can return. */
export const QUINCES = 55;

/** Sources by name, with what tests look for in each. */
export type SourceName =
  | keyof typeof KINDS
  | 'Orchard'
  | 'Old API Docs'
  | 'Ancient Notes'
  | 'Twice'
  | 'Long'
  | 'Pets one'
  | 'Pets two';

/** One source a kind that the policy weighs, all saying `marmalade`. */
const KINDS = {
  Repository: { source_type: 'repo' },
  Guide: { source_type: 'docs', docs_format: 'html' },
  Reference: { source_type: 'docs', docs_format: 'openapi' },
  Handbook: { source_type: 'pdf' },
} as const;

/**
 * A running service whose first tenant has synced and seeded sources; the second has one of its
 * own.
 */
export class SearchHarness {
  private constructor(
    readonly service: TwoTenantService,
    private readonly ids: ReadonlyMap<SourceName, string>,
  ) {}

  static async start(): Promise<SearchHarness> {
    const service = await TwoTenantService.start();
    try {
      const repository = TestRepository.create(`${service.scratch}/orchard`, orchard());
      const { id } = await service.first.createRepo('Orchard', repository.url);
      await service.first.syncToEnd(id);
      const sources = seeds();
      let seeded: string[] = [];
      await service.restart(async () => {
        seeded = await seedSources(service.variables, sources);
      });
      const ids = sources.map(({ name }, at) => [name as SourceName, seeded[at] ?? ''] as const);
      return new SearchHarness(service, new Map([['Orchard', id], ...ids]));
    } catch (error) {
      await service.dispose();
      throw error;
    }
  }

  id(name: SourceName): string {
    return this.ids.get(name) ?? '';
  }

  dispose(): Promise<void> {
    return this.service.dispose();
  }
}

function orchard(): Record<string, string> {
  const files: Record<string, string> = {
    'src/sundial.ts':
      '/** Reads the sundial in the garden. */\nexport const sundial = () => "noon";\n',
    'src/pruning.py':
      'def prune_branches(tree):\n    """Cuts the old wood of an espalier."""\n    return tree\n',
    'lib/pruning.ts':
      '/** Cuts the old wood of an espalier. */\nexport const pruneBranches = (tree: string) => tree;\n',
  };
  for (let at = 0; at < QUINCES; at += 1) {
    files[`fruit/basket${at}.ts`] =
      `/** Basket ${at}. */\nexport const basket${at} = "a quince of tree ${at}";\n`;
  }
  // Ten of them are more than the default budget.
  for (let at = 0; at < 10; at += 1) {
    const lines = Array.from(
      { length: 46 },
      (_, line) => `  "medlar ${at} ${line}", // kept in the cellar`,
    );
    files[`cellar/shelf${at}.ts`] = `export const shelf${at} = [\n${lines.join('\n')}\n];\n`;
  }
  return files;
}

function seeds(): SeededSource[] {
  const now = Date.now();
  const seed = (
    name: SourceName,
    ageDays: number,
    source: Pick<SeededSource, 'definition' | 'chunks'>,
  ) => ({
    tenantId: FIRST_TENANT_ID,
    name,
    syncedAt: new Date(now - ageDays * DAY_MS),
    ...source,
  });
  const repo = { source_type: 'repo' } as const;
  const openapi = { source_type: 'docs', docs_format: 'openapi' } as const;
  const pets = (said: string, schemaHash: string) => ({
    definition: openapi,
    chunks: [
      {
        path: 'pets.json',
        content: `# GET /pets\nLists all marmosets ${said}`,
        endpointKey: 'GET /pets',
        schemaHash,
      },
      {
        path: 'pets.json',
        content: `# GET /zoo\nThe capybara ${said}`,
        endpointKey: 'GET /zoo',
        schemaHash: 'same',
        ordinal: 1,
      },
    ],
  });
  return [
    ...Object.entries(KINDS).map(([name, definition]) =>
      seed(name as SourceName, 1, {
        definition,
        chunks: [{ path: `${name}.txt`, content: `Orange marmalade as the ${name} has it` }],
      }),
    ),
    seed('Old API Docs', 40, {
      definition: repo,
      chunks: [{ path: 'old.ts', content: 'The sundial of the old house', startLine: 1 }],
    }),
    seed('Ancient Notes', 90, {
      definition: repo,
      chunks: [
        { path: 'ancient.ts', content: 'The sundial of the ruin', startLine: 1 },
        { path: 'trilobite.ts', content: 'A trilobite', startLine: 1 },
      ],
    }),
    seed('Twice', 1, {
      definition: repo,
      chunks: [
        { path: 'a.ts', content: 'the turnip song', startLine: 1 },
        { path: 'b.ts', content: 'the turnip song', startLine: 1 },
        { path: 'c.ts', content: 'parsnip one\nparsnip two\nparsnip three', startLine: 1 },
        { path: 'c.ts', content: 'parsnip three\nparsnip four', startLine: 3, ordinal: 1 },
        { path: 'c.ts', content: 'parsnip nine', startLine: 9, ordinal: 2 },
      ],
    }),
    seed('Long', 1, {
      definition: repo,
      chunks: [
        { path: 'long.ts', content: 'kumquat', startLine: 1 },
        { path: 'long.ts', content: 'eighty lines below', startLine: 81, ordinal: 1 },
        { path: 'long.ts', content: 'far below', startLine: 82, ordinal: 2 },
      ],
    }),
    seed('Pets one', 1, pets('in pages', 'aa')),
    seed('Pets two', 1, pets('at once', 'bb')),
  ];
}
