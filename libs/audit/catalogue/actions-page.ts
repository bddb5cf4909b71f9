import { EVENT_DEFINITIONS } from '#contracts';

import { auditAction } from './derive-action.js';

const HEADER = ['event', 'action', 'category', 'outcome', 'targets', 'OCSF class', 'activity'];

const INTRODUCTION = `# Audit actions

What the audit trail derives from the type of an event. An action never changes once it is released.
The targets name the field with the id: a field of the event's data, \`$stream\` for the name of the
stream after its first dash, or \`$id\` for the id of the event. A record has at most 128 targets.
[audit-format.md](audit-format.md) describes the records. This page and \`audit-actions.json\`, the
same table for programs, are generated from \`libs/audit/catalogue\` by \`npm run docs\`.

An event of a type that this version does not know has the action \`unknown.recorded\`, the category
\`data\`, the outcome \`success\`, no targets and the OCSF class 3004 with activity 99.

OCSF classes: 3001 Account Change, 3002 Authentication, 3004 Entity Management, 3005 User Access
Management, 6003 API Activity.
`;

/** Returns the text of `docs/audit-actions.md`. */
export function auditActionsPage(): string {
  const rows = EVENT_DEFINITIONS.map(({ type }) => {
    const { action, category, outcome, targets, ocsf } = auditAction(type);
    const rules = targets.map((rule) => `\`${rule.type}\` in \`${rule.field}\``).join(', ');
    const { class_uid, activity_id } = ocsf;
    return [
      type,
      `\`${action}\``,
      category,
      outcome,
      rules,
      String(class_uid),
      String(activity_id),
    ];
  });
  return `${INTRODUCTION}\n${table([HEADER, ...rows])}\n`;
}

/** Returns the text of `docs/audit-actions.json`. */
export function auditActionsJson(): string {
  const actions = EVENT_DEFINITIONS.map(({ type }) => [type, auditAction(type)] as const);
  return `${JSON.stringify(Object.fromEntries(actions), null, 2)}\n`;
}

/** Returns a Markdown table with columns as wide as their widest cell. */
function table([header = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = header.map((_, at) =>
    Math.max(3, ...[header, ...rows].map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[], filler = ' '): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0, filler)).join(' | ')} |`;
  const rule = line(
    header.map(() => ''),
    '-',
  );
  return [line(header), rule, ...rows.map((row) => line(row))].join('\n');
}
