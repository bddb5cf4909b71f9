import { describe, expect, it } from '@jest/globals';

import { ToolProblem } from '../tool-problem.js';
import { releaseNamed } from './release-input.js';

describe('a release in one text', () => {
  it.each([
    ['npm:react@19.0.0', 'npm', 'react', '19.0.0'],
    ['npm:react', 'npm', 'react', undefined],
    ['NPM: react@19.0.0 ', 'npm', 'react', '19.0.0'],
    ['npm:@nestjs/core', 'npm', '@nestjs/core', undefined],
    ['npm:@nestjs/core@11.0.1', 'npm', '@nestjs/core', '11.0.1'],
    ['maven:com.google.guava:guava@33.0.0-jre', 'maven', 'com.google.guava:guava', '33.0.0-jre'],
    ['go:golang.org/x/mod@v0.20.0', 'go', 'golang.org/x/mod', 'v0.20.0'],
  ])('reads %s', (text, ecosystem, package_name, version) => {
    expect(releaseNamed(text)).toEqual({
      ecosystem,
      package_name,
      ...(version !== undefined && { version }),
    });
  });

  it.each(['react', 'npm', 'npm:', 'npm:react@', 'gem:rails@8.0.0', ':react', 'npmreact@1.0.0'])(
    'rejects %s, and shows the form',
    (text) => {
      expect(() => releaseNamed(text)).toThrow(ToolProblem);
      expect(() => releaseNamed(text)).toThrow(/npm:react@19\.0\.0\. Ecosystems: npm, pypi/);
    },
  );
});
