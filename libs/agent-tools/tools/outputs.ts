import { z } from 'zod';

const text = z.string();
const count = z.int();
const receiptId = text.nullable().describe('Shows the evidence of the answer');

const citation = z.looseObject({
  source_name: text,
  path: text,
  version_ref: text,
  start_line: count.optional(),
  end_line: count.optional(),
});
const passage = z.looseObject({ content: text, score: z.number(), citation });
const noEvidence = {
  message: text.optional().describe('Why nothing was found; without results'),
};
const job = z.looseObject({ id: text, status: text, progress_percent: z.number() });
const source = z.looseObject({ id: text, name: text, status: text });

/** The data of each tool's results, for programs. They are those of the API, cut to the budget. */
const OUTPUTS: Readonly<Record<string, z.ZodObject>> = {
  search: z.looseObject({
    results: z.array(passage).optional(),
    ...noEvidence,
    receipt_id: receiptId,
  }),
  search_code: z.looseObject({
    files: z.array(z.looseObject({ source_name: text, path: text, version_ref: text })),
    count,
    complete: z.boolean(),
    next_cursor: text.optional(),
    receipt_id: receiptId,
  }),
  read_file: z.looseObject({
    path: text,
    version_ref: text,
    start_line: count,
    end_line: count,
    total_lines: count,
    content: text,
  }),
  list_files: z.looseObject({
    version_ref: text,
    entries: z.array(z.looseObject({ path: text, kind: text })),
    total: count,
  }),
  find_references: z.looseObject({
    references: z.array(z.looseObject({ source_name: text, path: text, line: count })),
    count,
    complete: z.boolean(),
    next_cursor: text.optional(),
    receipt_id: receiptId,
  }),
  list_sources: z.looseObject({ sources: z.array(source), total: count }),
  search_package: z.looseObject({
    results: z.array(z.looseObject({ content: text, citation: z.looseObject({}) })).optional(),
    ...noEvidence,
    receipt_id: receiptId,
  }),
  research: job,
  add_source: source,
  sync_source: job,
  add_package: z.looseObject({ link_id: text, name: text, version: text, status: text }),
  audit_events: z.looseObject({ events: z.array(z.looseObject({ seq: count, action: text })) }),
  get_receipt: z.looseObject({}),
  replay: z.looseObject({ matches: z.boolean() }),
};

/** Fields of data that was cut to the budget. */
const rest = {
  not_shown: count.optional().describe('Lines or items cut to fit max_tokens'),
  more: text.optional().describe('The call that continues'),
};

const NONE = z.looseObject({}).extend(rest);
const WITH_REST = new Map(
  Object.entries(OUTPUTS).map(([tool, schema]) => [tool, schema.extend(rest)]),
);

/** Returns the schema of a tool's data; any object for a tool without one. */
export function outputOf(tool: string): z.ZodObject {
  return WITH_REST.get(tool) ?? NONE;
}
