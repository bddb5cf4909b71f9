import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import imports from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

import { plugin as footnote } from './tools/eslint/plain-language.mjs';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.cache/', 'test/fixtures/', 'libs/client/generated/'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/require-await': 'off',
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        { selector: 'ExportAllDeclaration', message: 'Name each export.' },
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message: 'Write the properties in the outer object.',
        },
      ],
    },
  },
  {
    files: ['**/*.{ts,tsx}', '**/*.mjs'],
    plugins: { imports },
    rules: {
      // Node's modules, packages, packages of this project, files of this package.
      'imports/imports': [
        'error',
        { groups: [['^\\u0000'], ['^node:'], ['^@?\\w'], ['^#'], ['^\\.']] },
      ],
      // Prettier breaks code; comments are wrapped by hand. Text that has to stay in one piece may
      // be longer.
      'max-len': [
        'error',
        {
          code: 100,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
        },
      ],
    },
  },
  {
    files: ['{apps,libs,test,tools}/**/*.{ts,tsx,mjs}'],
    ignores: [
      // The list of the words that the rule rejects, and examples of them.
      'tools/eslint/plain-words.mjs',
      'test/{docs,lint}/plain-language.spec.ts',
      // A released step of the migration.
      'libs/platform/key-ring/postgres/migrate-key-ring.ts',
      // Questions and code as their authors wrote them.
      'test/fixtures/**',
      'test/bench/packages/questions.ts',
      'test/support/language-fixtures.ts',
      // A question as a user types it.
      'libs/retrieval/ranking/answerability.spec.ts',
      // `licence` is a field of the header in stored model files.
      'libs/{distil/{distil,distil-settings},models/local/model-file-header}.ts',
    ],
    plugins: { footnote },
    rules: { 'footnote/plain-language': 'error' },
  },
  {
    files: ['{apps,libs,test,tools}/**/*.{ts,tsx,mjs}'],
    // Code and comments of other projects, as their authors wrote them.
    ignores: ['test/fixtures/**'],
    plugins: { footnote },
    rules: { 'footnote/short-sentences': 'error' },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['libs/platform/config/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'libs/platform/config is the only reader of the environment.',
        },
      ],
    },
  },
  {
    // Patterns meet text from outside: none may take more than linear time, not even on text that
    // was made for it.
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'certain', ignoreSticky: true }],
    },
  },
  {
    files: ['apps/api/**/*.ts'],
    ignores: ['apps/api/use-cases/handles.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: '@nestjs/cqrs',
          importNames: ['CommandHandler', 'QueryHandler'],
          message: 'Declare a handler with @Handles: the start-up check knows those alone.',
        },
      ],
    },
  },
  {
    files: ['libs/{domain,retrieval,research,audit}/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'Date',
        'setTimeout',
        'setInterval',
        'fetch',
        'crypto',
        'performance',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'The domain is pure.' },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        module: 'writable',
        fetch: 'readonly',
        setTimeout: 'readonly',
        Buffer: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
);
