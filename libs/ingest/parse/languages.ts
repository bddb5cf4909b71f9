import type { DocumentKind } from './parsed-document.js';

export interface LanguageChoice {
  readonly language: string;
  readonly kind: DocumentKind;
}

/**
 * Languages cut by syntax: by a grammar, SQL by statement, Protobuf and GraphQL by an outline,
 * components by their scripts.
 */
const CODE: Readonly<Record<string, string>> = {
  bash: 'sh bash zsh ksh bats ebuild',
  c: 'c',
  clojure: 'clj cljs cljc bb',
  cpp: 'cc cpp cxx c++ h hh hpp hxx h++ inl ipp tpp ixx cppm cu cuh ino',
  csharp: 'cs csx',
  css: 'css',
  dart: 'dart',
  elixir: 'ex exs',
  go: 'go',
  graphql: 'graphql gql graphqls',
  haskell: 'hs hsc',
  hcl: 'tf tfvars hcl nomad tofu',
  ini: 'ini cfg conf properties editorconfig',
  java: 'java',
  javascript: 'js mjs cjs jsx',
  julia: 'jl',
  kotlin: 'kt kts',
  lua: 'lua',
  'objective-c': 'm mm',
  ocaml: 'ml',
  'ocaml-interface': 'mli',
  php: 'php php3 php4 php5 phtml',
  powershell: 'ps1 psm1 psd1',
  protobuf: 'proto',
  python: 'py pyi pyw pyx',
  r: 'r',
  ruby: 'rb rake gemspec ru rbi',
  rust: 'rs',
  scala: 'scala sc sbt',
  solidity: 'sol',
  sql: 'sql ddl dml pgsql plsql psql',
  svelte: 'svelte',
  swift: 'swift swiftinterface',
  tsx: 'tsx',
  typescript: 'ts mts cts',
  vue: 'vue',
  zig: 'zig zon',
};

/** Formats cut by heading. */
const PROSE: Readonly<Record<string, string>> = {
  markdown: 'md markdown mdx mdown mkd livemd rmd qmd',
  restructuredtext: 'rst rest',
  text: 'txt text',
};

/** Formats cut at blank lines: no grammar is loaded for them. */
const LINES: Readonly<Record<string, string>> = {
  asciidoc: 'adoc asciidoc',
  assembly: 's asm nasm',
  batch: 'bat cmd',
  cmake: 'cmake',
  crystal: 'cr',
  csv: 'csv tsv',
  d: 'd',
  diff: 'diff patch',
  dockerfile: 'dockerfile',
  edn: 'edn',
  elm: 'elm',
  erlang: 'erl hrl',
  fortran: 'f f90 f95 f03 f08 for',
  fsharp: 'fs fsi fsx',
  gleam: 'gleam',
  glsl: 'glsl vert frag comp hlsl wgsl metal',
  groovy: 'groovy gradle gvy',
  html: 'html htm xhtml',
  jinja: 'jinja jinja2 j2',
  json: 'json json5 jsonc jsonl ndjson geojson webmanifest',
  less: 'less',
  lisp: 'lisp lsp cl el',
  'literate-haskell': 'lhs',
  makefile: 'mk mak make',
  matlab: 'mlx',
  nim: 'nim nims',
  nix: 'nix',
  org: 'org',
  pascal: 'pas pp dpr',
  perl: 'pl pm t pod',
  purescript: 'purs',
  racket: 'rkt',
  reason: 're rei',
  scheme: 'scm ss',
  scss: 'scss sass',
  starlark: 'bzl star bazel',
  tcl: 'tcl',
  template: 'ejs erb haml hbs handlebars liquid mustache pug slim tmpl tpl twig',
  tex: 'tex sty cls bib',
  toml: 'toml',
  verilog: 'v sv svh vh',
  vhdl: 'vhd vhdl',
  vim: 'vim',
  visualbasic: 'vb bas vbs',
  xml: 'xml xsd xsl xslt svg plist csproj vbproj fsproj props targets resx xaml wsdl',
  yaml: 'yaml yml',
};

/** Whole file names, lower case. */
const NAMES: Readonly<Record<string, string>> = {
  '.bashrc': 'bash',
  '.bash_profile': 'bash',
  '.profile': 'bash',
  '.zshrc': 'bash',
  pkgbuild: 'bash',
  '.editorconfig': 'ini',
  '.gitconfig': 'ini',
  '.gitmodules': 'ini',
  '.npmrc': 'ini',
  brewfile: 'ruby',
  gemfile: 'ruby',
  guardfile: 'ruby',
  podfile: 'ruby',
  rakefile: 'ruby',
  vagrantfile: 'ruby',
  sconstruct: 'python',
  wscript: 'python',
  jakefile: 'javascript',
  build: 'starlark',
  workspace: 'starlark',
  'cmakelists.txt': 'cmake',
  containerfile: 'dockerfile',
  dockerfile: 'dockerfile',
  gnumakefile: 'makefile',
  makefile: 'makefile',
  justfile: 'makefile',
  jenkinsfile: 'groovy',
  authors: 'text',
  changelog: 'text',
  changes: 'text',
  contributing: 'text',
  copying: 'text',
  install: 'text',
  license: 'text',
  news: 'text',
  notice: 'text',
  readme: 'text',
  todo: 'text',
  'go.mod': 'go.mod',
};

/** Interpreters named in a `#!` line. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  babashka: 'clojure',
  bash: 'bash',
  bb: 'clojure',
  dash: 'bash',
  ksh: 'bash',
  sh: 'bash',
  zsh: 'bash',
  bun: 'typescript',
  deno: 'typescript',
  elixir: 'elixir',
  julia: 'julia',
  lua: 'lua',
  luajit: 'lua',
  node: 'javascript',
  nodejs: 'javascript',
  perl: 'perl',
  php: 'php',
  pwsh: 'powershell',
  pypy: 'python',
  protobuf: 'proto',
  python: 'python',
  rscript: 'r',
  runghc: 'haskell',
  runhaskell: 'haskell',
  ruby: 'ruby',
  scala: 'scala',
  swift: 'swift',
  tclsh: 'tcl',
};

const BY_NAME = new Map(Object.entries(NAMES));
const BY_INTERPRETER = new Map(Object.entries(INTERPRETERS));
const KINDS = new Map<string, DocumentKind>();
const EXTENSIONS = new Map<string, string>();
for (const [kind, table] of [
  ['code', CODE],
  ['prose', PROSE],
  ['lines', LINES],
] as const) {
  for (const [language, extensions] of Object.entries(table)) {
    KINDS.set(language, kind);
    for (const extension of extensions.split(' ')) EXTENSIONS.set(extension, language);
  }
}

/**
 * Returns the language of a file by its whole name, its extension, then its `#!` line. Otherwise it
 * is `text`, cut by lines.
 *
 * @param head the first line of the file, or more of it.
 */
export function languageOf(path: string, head: string): LanguageChoice {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  const named = BY_NAME.get(name) ?? (name.startsWith('dockerfile.') ? 'dockerfile' : undefined);
  const language =
    named ?? (dot >= 0 ? EXTENSIONS.get(name.slice(dot + 1)) : undefined) ?? byInterpreter(head);
  if (language === undefined) return { language: 'text', kind: 'lines' };
  const shared =
    name.endsWith('.h') || name.endsWith('.m') ? bySharedExtension(name, head) : undefined;
  if (shared !== undefined) return { language: shared, kind: KINDS.get(shared) ?? 'lines' };
  return { language, kind: KINDS.get(language) ?? 'lines' };
}

function byInterpreter(head: string): string | undefined {
  const line = /^\uFEFF?#!\s*([^\r\n]{1,200})/.exec(head)?.[1];
  if (line === undefined) return undefined;
  const words = line.split(/\s+/).map((word) => word.slice(word.lastIndexOf('/') + 1));
  const program =
    words[0] === 'env'
      ? words.slice(1).find((word) => !word.startsWith('-') && !word.includes('='))
      : words[0];
  return BY_INTERPRETER.get((program ?? '').toLowerCase().replace(/(?<![\d.])[\d.]+$/, ''));
}

/**
 * Returns the language for an extension that several share; undefined where the table is right.
 * Headers of three languages end in `.h`, and both Objective-C and MATLAB in `.m`.
 */
function bySharedExtension(name: string, head: string): string | undefined {
  const objective = OBJECTIVE_C.test(head);
  if (name.endsWith('.m'))
    return objective || /^[^\S\r\n\u2028\u2029]*(?:#include|\/\/|\/\*)/m.test(head)
      ? 'objective-c'
      : 'matlab';
  if (objective) return 'objective-c';
  return looksLikeC(head) ? 'c' : undefined;
}

const OBJECTIVE_C =
  /^[^\S\r\n\u2028\u2029]*(?:#import\b|@(?:interface|implementation|protocol|class|import)\b|NS_ASSUME_NONNULL_BEGIN\b)/m;

/**
 * Returns whether a `.h` file is C: its beginning has no words that only C++ has. The C++ grammar
 * reads C less well than C's own.
 */
function looksLikeC(head: string): boolean {
  return !/^[^\S\r\n\u2028\u2029]*(class|namespace|template|using|public:|private:|protected:|extern "C\+\+")\b|\bstd::|#include <[a-z_]+>/m.test(
    head,
  );
}
