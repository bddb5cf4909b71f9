// Writes the generated half of the client from docs/openapi.json: the types of bodies and answers,
// and the table of operations. `npm run openapi` runs it after it wrote the document.
import './node-version.mjs';

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createClient } from '@hey-api/openapi-ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const DOCUMENT = join(root, 'docs/openapi.json');
const TARGET = join(root, 'libs/client/generated');
const HEADER = '// Generated from docs/openapi.json by tools/write-client.mjs; do not edit.\n';

/** Names of groups of several words: operation ids have them in lower case. */
const GROUPS = {
  auditexport: 'auditExport',
  auditlog: 'auditLog',
  auditproofs: 'auditProofs',
  codenavigation: 'codeNavigation',
  packagecode: 'packageCode',
  packagefiles: 'packageFiles',
  packagenavigation: 'packageNavigation',
  codesearch: 'codeSearch',
  legalhold: 'legalHold',
  policysimulation: 'policySimulation',
  pushhooks: 'pushHooks',
  resourcemetadata: 'resourceMetadata',
  sourcefiles: 'sourceFiles',
  uploadpdf: 'uploadPdf',
};

/** Operations with further types only for an `Accept` header, which the client does not send. */
const BY_ACCEPT_ALONE = [
  'codesearch_get',
  'codesearch_post',
  'packagecode_get',
  'packagecode_post',
];
/** Types of further answers that a call returns as text; streams of a GET have calls by hand. */
const TEXTS = { get: ['text/plain'], post: ['text/plain', 'text/event-stream'] };

/** Returns the generated files by name. */
export async function clientFiles() {
  return {
    'api.types.ts': HEADER + (await types()),
    'operations.ts': HEADER + operations(JSON.parse(readFileSync(DOCUMENT, 'utf8'))),
  };
}

async function types() {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-client-'));
  try {
    await createClient({
      input: DOCUMENT,
      output: { path: folder, header: '' },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    const text = readFileSync(join(folder, 'types.gen.ts'), 'utf8');
    // Inputs may then be lists that their owner does not let others change.
    const inputs = /^export type \w+(?:Body|BodyWritable|Data|Form) = \{$[^]*?^\};$/gm;
    return text.replace(inputs, (type) => type.replace(/\bArray</g, 'ReadonlyArray<'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the module of the operations that answer with data; streams have calls by hand. */
function operations({ paths }) {
  const groups = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [group, name] = operation.operationId.split('_');
      if (answers(operation)) (groups[group] ??= {})[name] = described(method, path, operation);
    }
  }
  const each = (write) =>
    Object.entries(groups)
      .map(([group, calls]) => {
        const lines = Object.entries(calls).map(
          ([name, call]) => `    ${write(group, name, call)}`,
        );
        return `  ${GROUPS[group] ?? group}: {\n${lines.join('\n')}\n  };\n`;
      })
      .join('');
  const type = (group, name) => `T.${capital(group)}${capital(name)}`;
  return `import type { Operation } from '../operation.types.js';
import type * as T from './api.types.js';

/** The operations of the API by group and name: input, answer and errors of each. */
export interface Operations {
${each((group, name, { text }) => {
  const stem = type(group, name);
  return `${name}: Operation<${stem}Data, ${stem}Response${text ? ' | string' : ''}, ${stem}Errors>;`;
})}}

/** Methods, paths and forms of the operations. */
export const OPERATIONS = {
${each((_, name, call) => `${name}: ${JSON.stringify({ ...call, text: undefined })},`).replaceAll('  };', '  },')}} as const;
`;
}

/** Returns true for an operation that answers a program with something else than a stream alone. */
function answers({ responses }) {
  const [status, { content } = {}] = Object.entries(responses)[0] ?? [];
  if (!/^2/.test(status ?? '')) return false;
  return content === undefined || Object.keys(content).some((type) => type !== 'text/event-stream');
}

function described(method, path, { operationId, parameters = [], requestBody, responses }) {
  const forms = Object.keys(requestBody?.content ?? {});
  return {
    method: method.toUpperCase(),
    path,
    // The generator has the first type of an answer only.
    text:
      !BY_ACCEPT_ALONE.includes(operationId) &&
      Object.keys(responses['200']?.content ?? {}).some(
        (type, at) => at > 0 && TEXTS[method]?.includes(type),
      ),
    ...(forms.length > 0 && {
      body: forms.includes('application/json')
        ? 'json'
        : forms.includes('multipart/form-data')
          ? 'form'
          : 'bytes',
    }),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') && { repeatable: true }),
  };
}

function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(await clientFiles())) {
    writeFileSync(join(TARGET, name), text);
  }
}
