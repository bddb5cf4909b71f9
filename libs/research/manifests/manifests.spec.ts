import { describe, expect, it } from '@jest/globals';

import { isManifestPath, readManifest } from '#research';

import { belongsTo, importsIn } from './imports-in.js';

describe('readManifest', () => {
  it.each([
    [
      'package.json',
      '{"name":"@h3/core","dependencies":{"rou3":"^1"},"devDependencies":{"vitest":"*"}}',
      { ecosystem: 'npm', provides: ['@h3/core'], requires: ['rou3', 'vitest'] },
    ],
    [
      'pyproject.toml',
      '[project]\nname = "Flask"\ndependencies = [\n  "werkzeug>=3.1",\n  "Jinja2 ; python_version > \'3\'",\n]\n[tool.poetry.dependencies]\npython = "^3"\nclick = "*"\n',
      { ecosystem: 'pypi', provides: ['flask'], requires: ['werkzeug', 'jinja2', 'click'] },
    ],
    [
      'go.mod',
      'module github.com/spf13/cobra\n\ngo 1.15\n\nrequire (\n\tgithub.com/spf13/pflag v1.0.9 // indirect\n)\nrequire go.yaml.in/yaml/v3 v3.0.4\n',
      {
        ecosystem: 'go',
        provides: ['github.com/spf13/cobra'],
        requires: ['github.com/spf13/pflag', 'go.yaml.in/yaml/v3'],
      },
    ],
    [
      'crates/a/Cargo.toml',
      '[package]\nname = "my-crate" # x\n[dependencies]\nh2 = { version = "0.4" }\ntokio.workspace = true\n[dependencies.http-body]\nversion = "1"\n[target.\'cfg(unix)\'.dev-dependencies]\npnet = "1"\n',
      {
        ecosystem: 'cargo',
        provides: ['my_crate'],
        requires: ['h2', 'tokio', 'http_body', 'pnet'],
      },
    ],
    [
      'gson/pom.xml',
      '<project><parent><groupId>com.google.code.gson</groupId><artifactId>gson-parent</artifactId></parent><artifactId>gson</artifactId><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency></dependencies></project>',
      { ecosystem: 'maven', provides: ['com.google.code.gson:gson'], requires: ['junit:junit'] },
    ],
  ])('reads %s', (path, text, names) => {
    expect(isManifestPath(path)).toBe(true);
    expect(readManifest({ path, text })).toEqual(names);
  });

  it.each(['{', '[]', '"x"', 'null'])('rejects a package.json of %s', (text) => {
    expect(readManifest({ path: 'package.json', text })).toBeUndefined();
  });

  it('ignores files that are no manifests, and manifests of samples', () => {
    expect(readManifest({ path: 'a.json', text: '{}' })).toBeUndefined();
    expect(isManifestPath('examples/a/package.json')).toBe(false);
    expect(isManifestPath('a/b/c/d/go.mod')).toBe(false);
  });

  it('bounds the names', () => {
    const dependencies = Object.fromEntries(
      Array.from({ length: 900 }, (_, at) => [`p${at}`, '1']),
    );
    const text = JSON.stringify({ dependencies });
    expect(readManifest({ path: 'package.json', text })?.requires).toHaveLength(500);
  });
});

describe('importsIn', () => {
  it.each([
    ['pypi', 'from werkzeug.routing import Map, Rule as R', 'werkzeug.routing', ['Map', 'Rule']],
    ['pypi', 'from .a import (\n  b,\n  c,\n)', '.a', ['b', 'c']],
    ['npm', "import { a, type B, c as d } from 'rou3'", 'rou3', ['a', 'B', 'c']],
    ['npm', "import type { A } from 'rou3/x'", 'rou3/x', ['A']],
    ['npm', "const { Route } = require('router')", 'router', ['Route']],
    [
      'cargo',
      'use h2::client::{Builder, SendRequest, self};',
      'h2::client',
      ['Builder', 'SendRequest'],
    ],
    ['cargo', 'use h2::Reason;', 'h2::Reason', ['Reason']],
    ['maven', 'import com.google.gson.TypeAdapter;', 'com.google.gson', ['TypeAdapter']],
  ] as const)('reads names of %s: %s', (ecosystem, text, module, names) => {
    expect(importsIn(text, ecosystem)).toMatchObject([{ module, names }]);
  });

  it.each([
    ['go', 'import (\n\tflag "github.com/spf13/pflag"\n)', 'github.com/spf13/pflag', 'flag'],
    ['go', 'import "github.com/spf13/pflag"', 'github.com/spf13/pflag', 'pflag'],
    ['npm', "var Router = require('router');", 'router', 'Router'],
    ['npm', "import * as r from 'rou3'", 'rou3', 'r'],
    ['pypi', 'import werkzeug.http as h', 'werkzeug.http', 'h'],
  ] as const)('reads modules of %s: %s', (ecosystem, text, module, alias) => {
    expect(importsIn(text, ecosystem)).toMatchObject([{ module, alias }]);
  });

  it.each([
    ['rou3/utils', 'rou3', 'npm', true],
    ['rou3x', 'rou3', 'npm', false],
    ['github.com/spf13/pflag/x', 'github.com/spf13/pflag', 'go', true],
    ['flask_login.utils', 'flask-login', 'pypi', true],
    ['h2::client', 'h2', 'cargo', true],
    ['h2x::client', 'h2', 'cargo', false],
    ['com.google.gson.stream', 'com.google.code.gson:gson', 'maven', true],
    ['org.junit', 'com.google.code.gson:gson', 'maven', false],
  ] as const)(
    'maps the module %s to the package %s: %s',
    (module, provided, ecosystem, belongs) => {
      expect(belongsTo(module, provided, ecosystem)).toBe(belongs);
    },
  );
});
