import { describe, expect, it } from '@jest/globals';

import { handlerProblem } from './handler-check.js';

class Rename {}
class Remove {}
class RenameHandler {}
class OtherRenameHandler {}
class RemoveHandler {}

const RENAME = { handler: RenameHandler, useCase: Rename };
const REMOVE = { handler: RemoveHandler, useCase: Remove };

describe('the start-up check of handlers', () => {
  it('is content when each use case has one', () => {
    expect(handlerProblem([RENAME, REMOVE], [RemoveHandler, Rename, RenameHandler])).toBeNull();
  });

  it.each([
    [
      'none',
      [RENAME, REMOVE],
      [RemoveHandler],
      'Rename has no handler: add RenameHandler to the providers of its module.',
    ],
    [
      'two',
      [RENAME, { handler: OtherRenameHandler, useCase: Rename }],
      [RenameHandler, OtherRenameHandler],
      'Rename has 2 handlers (RenameHandler, OtherRenameHandler): keep one.',
    ],
    [
      'one in two modules',
      [RENAME],
      [RenameHandler, RenameHandler],
      'RenameHandler is provided by 2 modules: keep it in one.',
    ],
  ])('names the fix where there is %s', (_, declared, provided, sentence) => {
    expect(handlerProblem(declared, provided)).toBe(sentence);
  });
});
