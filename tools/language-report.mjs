/**
 * Reports how far texts follow the language rules of CONTRIBUTING.md, per package and for docs.
 * Usage: node tools/language-report.mjs [--list] [FOLDER …]; `--list` also prints each finding.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

import { longSentences } from './eslint/sentences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const OPENING = /^(?:What|Whatever|Of|Who|Whom|Whose|Whoever|Where|How|Which)\b/;
const PHRASES = [
  /\b(?:tell|tells|told|telling)\b/gi,
  /\b(?:anew|beside|meanwhile|whoever)\b/gi,
  /\b(?:brings?|brought|bears?|bore|mends?|mended)\b/gi,
  /\b(?:lets? go|look(?:s|ed)? after|(?:gives?|gave) back|(?<!there )is none)\b/gi,
];

const words = process.argv.slice(2);
const list = words.includes('--list');
const named = words.filter((word) => !word.startsWith('--'));

main();

function main() {
  const packages = named.length > 0 ? named : defaultPackages();
  const rows = packages.map((name) => ({ name, ...reportOf(filesBelow(name)) }));
  print(['package', 'doc comments', 'bad openings', 'share', 'phrases', 'long sentences']);
  for (const { name, docs, openings, phrases, long } of rows) {
    print([name, docs, openings, `${percent(openings, docs)} %`, phrases, long]);
  }
  const sum = (field) => rows.reduce((total, row) => total + row[field], 0);
  const [docs, openings] = [sum('docs'), sum('openings')];
  print(['all', docs, openings, `${percent(openings, docs)} %`, sum('phrases'), sum('long')]);
}

/** Returns every package of libs and apps, and the other folders with text. */
function defaultPackages() {
  const below = (folder) => namesIn(folder).map((name) => `${folder}/${name}`);
  return [...below('libs'), ...below('apps'), 'tools', 'test', 'docs'];
}

/** Counts the findings of some files. */
function reportOf(files) {
  const report = { docs: 0, openings: 0, phrases: 0, long: 0 };
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    const texts = file.endsWith('.md') ? [{ text: proseOf(source), line: 1 }] : textsOf(source);
    for (const { text, line, isDoc, lines } of texts) {
      if (isDoc) report.docs += 1;
      if (isDoc && OPENING.test(text)) report.openings += found(file, line, text, 'opening');
      for (const phrase of PHRASES) {
        for (const [match] of text.matchAll(phrase)) {
          report.phrases += found(file, line, text, match);
        }
      }
      for (const { start } of lines === undefined ? [] : longSentences(lines)) {
        report.long += found(file, line, start, 'long sentence');
      }
    }
  }
  return report;
}

/** Returns comments and messages of a source: strings with at least three words. */
function textsOf(source) {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true);
  const texts = [];
  const seen = new Set();
  const lineOf = (at) => file.getLineAndCharacterOfPosition(at).line + 1;
  const addComments = (node) => {
    for (const range of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) {
      if (seen.has(range.pos)) continue;
      seen.add(range.pos);
      const raw = source.slice(range.pos, range.end);
      const lines = withoutDelimiters(raw);
      const text = lines.replace(/\s+/g, ' ').trim();
      texts.push({ text, lines, line: lineOf(range.pos), isDoc: raw.startsWith('/**') });
    }
  };
  const visit = (node) => {
    addComments(node);
    if (isText(node)) {
      const text = node.getText(file).replace(/\$\{[^}]*\}/g, 'x');
      if (/\w+[ ,]+\w+[ ,]+\w+/.test(text)) texts.push({ text, line: lineOf(node.pos) });
    }
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return texts;
}

function isText(node) {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateExpression(node)
  );
}

function withoutDelimiters(comment) {
  return comment.replace(/^\/\*\*?|\*\/$|^\s*\*+|^\s*\/\/+/gm, '');
}

/** Returns Markdown without code. */
function proseOf(markdown) {
  return markdown.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

function filesBelow(folder) {
  return namesIn(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (/^(?:node_modules|dist|fixtures)$/.test(name)) return [];
    if (/\.(?:ts|mjs|md)$/.test(name)) return [join(root, path)];
    return name.includes('.') ? [] : filesBelow(path);
  });
}

function namesIn(folder) {
  try {
    return readdirSync(join(root, folder)).sort();
  } catch {
    return [];
  }
}

function found(file, line, text, what) {
  if (list) console.log(`${relative(root, file)}:${line} ${what}: ${text.slice(0, 80)}`);
  return 1;
}

function percent(part, whole) {
  return whole === 0 ? '0.0' : ((100 * part) / whole).toFixed(1);
}

function print([name, ...cells]) {
  console.log(name.padEnd(24) + cells.map((cell) => String(cell).padStart(15)).join(''));
}
