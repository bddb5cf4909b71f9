import type { MeasuredRelease } from './questions.js';

/** Releases that the files below import. */
export const IMPORTED_RELEASES: readonly MeasuredRelease[] = [
  { ecosystem: 'npm', name: 'zod', version: '4.1.12' },
  { ecosystem: 'npm', name: 'commander', version: '14.0.0' },
  { ecosystem: 'npm', name: '@nestjs/common', version: '11.1.0' },
  { ecosystem: 'npm', name: '@nestjs/core', version: '11.1.0' },
  { ecosystem: 'npm', name: 'rxjs', version: '7.8.2' },
  { ecosystem: 'npm', name: 'axios', version: '1.12.0' },
  { ecosystem: 'npm', name: 'lodash', version: '4.17.21' },
  { ecosystem: 'pypi', name: 'requests', version: '2.32.3' },
  { ecosystem: 'pypi', name: 'flask', version: '3.1.0' },
  { ecosystem: 'pypi', name: 'click', version: '8.1.8' },
];

/**
 * Files of a repository that uses them. The last word of each line is looked up; its definition
 * must be in the package that the file is named after.
 */
export const IMPORTING_FILES: Readonly<Record<string, string>> = {
  'src/zod.ts': `import { ZodError, z } from 'zod';
const one = z.object;
const two = ZodError;
`,
  'src/commander.ts': `import { Command, InvalidArgumentError, Option } from 'commander';
const one = Command;
const two = Option;
const three = InvalidArgumentError;
`,
  'src/@nestjs/common.ts': `import { Injectable, Module, NotFoundException } from '@nestjs/common';
const one = Injectable;
const two = Module;
const three = NotFoundException;
`,
  'src/@nestjs/core.ts': `import { NestFactory, Reflector } from '@nestjs/core';
const one = NestFactory;
const two = Reflector;
`,
  'src/rxjs.ts': `import { Observable, of, Subject } from 'rxjs';
import * as rxjs from 'rxjs';
import { map } from 'rxjs/operators';
const one = Observable;
const two = of;
const three = Subject;
const four = map;
const five = rxjs.combineLatest;
`,
  'src/axios.js': `import axios, { AxiosError, AxiosHeaders } from 'axios';
const one = AxiosError;
const two = AxiosHeaders;
`,
  'src/lodash.js': `import debounce from 'lodash/debounce';
import { groupBy } from 'lodash';
const one = debounce;
const two = groupBy;
`,
  'requests.app.py': `import requests
from requests import Session, get
from requests.exceptions import HTTPError
one = get
two = Session
three = HTTPError
four = requests.post
`,
  'flask.app.py': `from flask import Flask, jsonify, render_template
from flask.views import MethodView
one = Flask
two = jsonify
three = render_template
four = MethodView
`,
  'click.app.py': `import click
from click.testing import CliRunner
one = click.command
two = click.option
three = CliRunner
`,
};
