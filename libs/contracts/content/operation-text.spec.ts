import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { fieldLine, readFields, schemasNamed, sectionLine } from './operation-text.js';

describe('the text of an operation', () => {
  it('is read back as the fields that it was written of', () => {
    const text = [
      '# GET /users/{id}',
      'Says `- nothing` (of, fields)',
      sectionLine('Parameters'),
      fieldLine({
        depth: 0,
        name: 'id',
        type: 'path string',
        required: true,
        description: 'Which (one): this',
      }),
      '',
      sectionLine('Response 200', ['application/json']),
      fieldLine({
        depth: 0,
        name: 'owner',
        type: 'array of {User}',
        required: false,
        description: '',
      }),
      fieldLine({
        depth: 1,
        name: 'na me`',
        type: 'string (short)',
        required: false,
        description: '',
      }),
      fieldLine({ depth: 0, name: 'size', type: 'integer', required: true, description: '' }),
    ].join('\n');
    expect(readFields(text)).toEqual([
      { place: ['Parameters'], reported: '' },
      { place: ['Parameters', 'id'], reported: 'path string, required' },
      { place: ['Response 200', 'application/json', 'owner'], reported: 'array of {User}' },
      {
        place: ['Response 200', 'application/json', 'owner', 'na me '],
        reported: 'string [short]',
      },
      { place: ['Response 200', 'application/json', 'size'], reported: 'integer, required' },
    ]);
    expect(schemasNamed('array of {User} | {Team} or null')).toEqual(['User', 'Team']);
  });

  it('keeps one line a field whatever is in its name, type and description', () => {
    const anything = fc.string({ unit: 'grapheme', maxLength: 40 });
    const field = fc.record({
      depth: fc.constant(0),
      name: anything,
      type: anything,
      required: fc.boolean(),
      description: anything.map((text) => text.replace(/\s+/g, ' ')),
    });
    fc.assert(
      fc.property(fc.array(field, { maxLength: 5 }), (fields) => {
        const read = readFields([sectionLine('Fields'), ...fields.map(fieldLine)].join('\n'));
        expect(read.slice(1).map(({ reported }) => reported.endsWith(', required'))).toEqual(
          fields.map(
            ({ required, type }) => required || type.replace(/\s+/g, ' ').endsWith(', required'),
          ),
        );
      }),
    );
  });
});
