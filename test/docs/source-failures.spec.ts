import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const DOCUMENT = readFileSync('docs/source-failures.md', 'utf8');
/** The files that contain the sentences of failed syncs. */
const ROOMS = [
  'libs/ingest',
  'apps/pipeline',
  'libs/domain/job',
  'libs/platform/http',
  'libs/platform/tls',
];
/** The functions that create them, each with the index of the sentence among its parameters. */
const MAKERS = new Map<string, readonly number[]>([
  ['StageFailure', [0]],
  ['SpecProblem', [0]],
  ['SpecTooCostly', [0]],
  ['BodyRefusedError', [1]],
  ['OutboundRefusedError', [0]],
  ['exceeded', [0]],
  ['failed', [0, 1]],
]);
/** Functions that give a sentence, or the end of one. */
const TELLERS = new Set([
  ...['endedBy', 'refusal', 'credentialsMissing', 'credentialsRefused'],
  ...['parseGitUrl', 'placeProblem', 'partProblem', 'transportProblem'],
]);

/** A sentence as it is spelled in the code: its fixed parts, between which something is put in. */
type Sentence = readonly string[];

/** The messages that begin an item of a list, before its colon. */
const spans = [
  ...DOCUMENT.replace(/\n {2}(?=\S)/g, ' ').matchAll(/^- (?<messages>`[^`]+`(?:, `[^`]+`)*):/gm),
].flatMap(({ groups }) =>
  [...(groups?.['messages'] ?? '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span),
);
const sentences = new Map<string, { readonly sentence: Sentence; readonly file: string }>();
for (const file of ROOMS.flatMap(sourcesBelow)) {
  for (const sentence of sentencesIn(file)) {
    if (/\p{L}{3}/u.test(sentence.join(''))) sentences.set(sentence.join('…'), { sentence, file });
  }
}

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => join(folder, name));
}

function sentencesIn(file: string): readonly Sentence[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const constants = new Map<string, ts.Expression[]>();
  const found: Sentence[] = [];
  const look = (node: ts.Node, visit: (node: ts.Node) => void): void => {
    visit(node);
    node.forEachChild((child) => look(child, visit));
  };
  look(source, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return;
    constants.set(node.name.text, [...(constants.get(node.name.text) ?? []), node.initializer]);
  });
  const take = (expression: ts.Expression | undefined): void => {
    if (expression) found.push(...spelled(expression, constants));
  };
  look(source, (node) => {
    if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      for (const at of MAKERS.get(nameOf(node.expression)) ?? []) take(node.arguments?.[at]);
      if (nameOf(node.expression) === 'Error' && file.endsWith('tls-failure.ts'))
        take(node.arguments?.[0]);
    }
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'sentence') take(node.initializer);
    if (ts.isReturnStatement(node) && TELLERS.has(functionAround(node))) take(node.expression);
  });
  return found;
}

function nameOf(expression: ts.Expression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

function functionAround(node: ts.Node): string {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) return at.name?.getText() ?? '';
  }
  return '';
}

/** Every way an expression may be spelled; what is no text is put in. */
function spelled(
  expression: ts.Expression,
  constants: ReadonlyMap<string, readonly ts.Expression[]>,
): Sentence[] {
  if (ts.isStringLiteralLike(expression)) return [[expression.text]];
  if (ts.isTemplateExpression(expression)) return spelledTemplate(expression, constants);
  if (ts.isConditionalExpression(expression)) {
    return [expression.whenTrue, expression.whenFalse].flatMap((each) => spelled(each, constants));
  }
  if (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
  ) {
    return spelled(expression.right, constants);
  }
  if (
    ts.isElementAccessExpression(expression) &&
    ts.isObjectLiteralExpression(expression.expression)
  ) {
    return expression.expression.properties.flatMap((each) =>
      ts.isPropertyAssignment(each) ? spelled(each.initializer, constants) : [],
    );
  }
  if (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind === ts.SyntaxKind.PlusToken
  ) {
    const [left = [''], right = ['']] = [expression.left, expression.right].map(
      (each) => spelled(each, constants)[0],
    );
    return [[...left.slice(0, -1), `${left.at(-1)}${right[0]}`, ...right.slice(1)]];
  }
  if (!ts.isIdentifier(expression)) return [];
  return (constants.get(expression.text) ?? []).flatMap((each) =>
    ts.isIdentifier(each) ? [] : spelled(each, constants),
  );
}

/** Spells a template; a template that is a single insertion is looked up by the inserted text. */
function spelledTemplate(
  { head, templateSpans }: ts.TemplateExpression,
  constants: ReadonlyMap<string, readonly ts.Expression[]>,
): Sentence[] {
  const parts = [head.text, ...templateSpans.map(({ literal }) => literal.text)];
  if (/\p{L}{2}/u.test(parts.join(''))) return [parts];
  return templateSpans.flatMap(({ expression }) => spelled(expression, constants));
}

function isSaidBy(span: string, sentence: Sentence): boolean {
  const parts = sentence.map((part) =>
    part.replace('URL', '\0').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(parts.join('.*').replaceAll('\0', '.+')).test(span);
}

describe('the list of failures', () => {
  it('is compared with what the code says', () => {
    expect(spans.length).toBeGreaterThan(80);
    expect(sentences.size).toBeGreaterThan(80);
  });

  it('has an item for every sentence that a sync may fail with', () => {
    const missing = [...sentences.values()].filter(
      ({ sentence }) => !spans.some((span) => isSaidBy(span, sentence)),
    );
    expect(missing.map(({ sentence, file }) => `${file}: ${sentence.join('…')}`)).toEqual([]);
  });

  it('has no sentence that nothing says', () => {
    const said = [...sentences.values()].map(({ sentence }) => sentence);
    expect(spans.filter((span) => !said.some((sentence) => isSaidBy(span, sentence)))).toEqual([]);
  });
});
