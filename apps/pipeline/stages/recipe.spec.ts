import { describe, expect, it } from '@jest/globals';

import type { SourceDefinition } from '#contracts';
import { REDACTION_VERSION } from '#ingest/redact/redact-secrets';
import { createHashEmbedder } from '#models';

import { recipeOf } from './recipe.js';

const definition: SourceDefinition = {
  source_type: 'repo',
  url: 'https://example.com/a.git',
  branch: 'main',
  include_patterns: ['src/**'],
  exclude_patterns: [],
};
const embedder = createHashEmbedder();
const recipe = recipeOf(definition, embedder, 100);

describe('recipe', () => {
  it('stays the same when only where the files come from changes', () => {
    expect(
      recipeOf({ ...definition, url: 'https://mirror.example.com/a.git' }, embedder, 100),
    ).toBe(recipe);
  });

  it.each([
    ['the branch', recipeOf({ ...definition, branch: 'dev' }, embedder, 100)],
    ['the included patterns', recipeOf({ ...definition, include_patterns: [] }, embedder, 100)],
    [
      'the excluded patterns',
      recipeOf({ ...definition, exclude_patterns: ['*.md'] }, embedder, 100),
    ],
    ['the size limit', recipeOf(definition, embedder, 200)],
    ['what is taken for a secret', recipeOf(definition, embedder, 100, REDACTION_VERSION + 1)],
    ['the model', recipeOf(definition, { ...embedder, id: 'other' }, 100)],
  ])('changes with %s', (_, other) => {
    expect(other).not.toBe(recipe);
  });
});
