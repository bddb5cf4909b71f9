import type { FastifyReply } from 'fastify';

import type { Dated, Moment } from './moments.js';

/** Description of the header for the API's description. */
export const MOMENT_HEADER = {
  'X-As-Of-Seq': {
    description:
      'With `as_of` or `as_of_seq`: the record of the audit trail that the answer is as of; `none` before the first.',
    schema: { type: 'string' as const },
  },
};

/** Shows the record that an answer is as of in its `X-As-Of-Seq` header. */
export function showMoment(reply: FastifyReply, moment: Moment | undefined): void {
  if (moment) void reply.header('x-as-of-seq', moment.seq === null ? 'none' : String(moment.seq));
}

/** Returns a dated answer, and shows its moment. */
export function undated<Answer>({ answer, moment }: Dated<Answer>, reply: FastifyReply): Answer {
  showMoment(reply, moment);
  return answer;
}
