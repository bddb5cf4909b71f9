// Reads the exports and imports of a source file, and finds the files that its imports name.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

/** The folder of the project. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Lists the exports of a file and the names that it imports, re-exports included. */
export function parse(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const exported = [];
  const uses = [];
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) uses.push(...namesImported(statement));
    else if (ts.isExportDeclaration(statement)) {
      for (const { name, propertyName } of statement.exportClause?.elements ?? []) {
        exported.push({ name: name.text, node: statement });
        const from = statement.moduleSpecifier?.text;
        if (from) uses.push({ from, name: (propertyName ?? name).text });
      }
    } else if (isExported(statement)) exported.push(...namesDeclared(statement));
  }
  uses.push(...dynamicUses(source));
  return { exported, uses };
}

function namesImported({ moduleSpecifier, importClause }) {
  const from = moduleSpecifier.text;
  const bindings = importClause?.namedBindings;
  if (!bindings) return [];
  if (ts.isNamespaceImport(bindings)) return [{ from, name: '*' }];
  return bindings.elements.map(({ name, propertyName }) => ({
    from,
    name: (propertyName ?? name).text,
  }));
}

/** Finds `import('…')` in expressions and types. */
function dynamicUses(source) {
  const uses = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [from] = node.arguments;
      if (from && ts.isStringLiteralLike(from)) uses.push({ from: from.text, name: '*' });
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      uses.push({ from: node.argument.literal.text, name: node.qualifier?.getText() ?? '*' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

function isExported(node) {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function namesDeclared(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      bindingNames(name).map((each) => ({ name: each, node: statement })),
    );
  }
  return statement.name ? [{ name: statement.name.text, node: statement }] : [];
}

function bindingNames(name) {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((each) => (each.name ? bindingNames(each.name) : []));
}

/** Returns the source of an import of this project, undefined for packages. */
export function resolveImport(from, file) {
  if (from.startsWith('.')) return existing(resolve(dirname(file), from));
  if (!from.startsWith('#')) return undefined;
  for (const [name, target] of Object.entries(imports)) {
    const [head, tail] = name.split('*');
    if (tail === undefined ? from !== name : !from.startsWith(head)) continue;
    return existing(join(ROOT, target.replace('dist/', '').replace('*', from.slice(head.length))));
  }
  return undefined;
}

function existing(path) {
  const sources = [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')];
  return sources.find((source) => existsSync(source));
}
