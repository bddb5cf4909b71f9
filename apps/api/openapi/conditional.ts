import { ApiHeader } from '@nestjs/swagger';

/** Documents that a change of a resource honors `If-Match`. */
export const Conditional = (resource: string) =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description: `An ETag of the ${resource}: the change is made only if the ${resource} still has it.`,
    schema: { type: 'string' },
  });
