import { describe, expect, it } from '@jest/globals';

import { localModel } from '#models';

import { withChunker } from './open-set.js';
import { packRecipe } from './pack-recipe.js';

describe('packRecipe', () => {
  it('is the same for the same recipe, and another one for other vectors', async () => {
    await withChunker((chunker) => {
      const recipeOf = (id: string) => packRecipe(chunker, localModel({ id }));
      expect(recipeOf('hash-ngram-v1')).toMatch(/^[0-9a-f]{12}$/);
      expect(recipeOf('hash-ngram-v1')).toBe(recipeOf('hash-ngram-v1'));
      expect(recipeOf('meaning-v1')).not.toBe(recipeOf('hash-ngram-v1'));
      return Promise.resolve();
    });
  });
});
